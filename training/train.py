"""Trains the encoder on assembled arrays: distillation, then distillation with supervised heads.

    python train.py --cache /dev/shm/cache --targets tuned --out out --seconds 500 --supervise-seconds 90

Writes stage1.sbenc and full.sbenc. The schedule follows the clock, so that a run ends when it must, whatever the machine.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import corpus
import export
import judge
from losses import distil_loss, head_loss, say
from model import Encoder
from text import BUCKETS

LENGTHS = (8, 12, 16, 24, 48)
HEAD_ROWS = {"massive": 768, "clinc150": 320, "banking77": 256, "metatool": 256, "snips": 64, "home_assistant": 128,
             "ms_va_intents": 96, "nlupp": 64, "spider": 48}
CHITCHAT_ROWS = 48


class Pool:
    """Distillation entries on the device, sampled by weight within one length class at a time."""

    def __init__(self, cache: Path, device: str) -> None:
        words = np.load(cache / "words.npy", mmap_mode="r")
        entries = np.load(cache / "entries.npz")
        a, b, weights = entries["a"], entries["b"], entries["weights"]
        lengths = np.concatenate([(words[i:i + 500_000] != 0).sum(1) for i in range(0, len(words), 500_000)])
        self.device = device
        self.classes = []
        mass = []
        low = 0
        for high in LENGTHS:
            rows = np.flatnonzero((lengths > low) & (lengths <= high) & (weights > 0))
            low = high
            if len(rows) == 0:
                continue
            mass.append(float(weights[rows].sum()))
            self.classes.append((
                torch.from_numpy(words[rows, :high]).to(device), torch.from_numpy(a[rows]).to(device),
                torch.from_numpy(b[rows]).to(device),
                torch.from_numpy(np.cumsum(weights[rows] / weights[rows].sum())).to(device)))
        self.share = np.array(mass) / sum(mass)
        self.random = np.random.default_rng(1)

    def batch(self, size: int, targets: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        words, a, b, cumulative = self.classes[self.random.choice(len(self.share), p=self.share)]
        draw = torch.rand(size, device=self.device, dtype=torch.float64)
        rows = torch.searchsorted(cumulative, draw).clamp(max=len(words) - 1)
        target = F.normalize(targets[a[rows]].float() + targets[b[rows]].float(), dim=-1)
        return words[rows], target


class Labelled:
    """Rows of one supervised head, up to six labels a row (-1 is none), and the places of their targets."""

    def __init__(self, path: Path, count: int, noisy: float, device: str) -> None:
        found = np.load(path)
        self.count, self.noisy_share = count, noisy
        self.words, self.noisy, self.labels, self.targets = (
            torch.from_numpy(found[name]).to(device) for name in ("words", "noisy", "labels", "targets"))
        self.cumulative = torch.from_numpy(np.cumsum(found["weights"] / found["weights"].sum())).to(device)

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        draw = torch.rand(size, device=self.words.device, dtype=torch.float64)
        rows = torch.searchsorted(self.cumulative, draw).clamp(max=len(self.words) - 1)
        is_noisy = torch.rand(size, 1, device=self.words.device) < self.noisy_share
        return torch.where(is_noisy, self.noisy[rows], self.words[rows]), self.labels[rows], self.targets[rows]


class Average:
    """A running mean of the weights, which is what gets exported."""

    def __init__(self, model: Encoder, decay: float) -> None:
        self.decay = decay
        self.model = copy.deepcopy(model)

    @torch.no_grad()
    def update(self, model: Encoder, step: int) -> None:
        rate = 1 - min(self.decay, (1 + step) / (10 + step))
        torch._foreach_lerp_(list(self.model.parameters()), list(model.parameters()), rate)


class Trainer:
    """The model with what it learns from. Both stages begin from `model` and end in an average."""

    def __init__(self, args: argparse.Namespace, device: str) -> None:
        names = json.loads((args.cache / "names.json").read_text())
        self.args, self.device = args, device
        self.table = torch.from_numpy(np.load(args.cache / f"features_{args.buckets}.npy")).to(device)
        self.targets = torch.from_numpy(np.load(args.cache / f"targets_{args.targets}.npy")).to(device)
        self.pool = Pool(args.cache, device)
        self.heads = {name: Labelled(args.cache / f"head_{name}.npz", count, args.noisy, device)
                      for name, count in names["heads"].items()}
        self.groups = names["groups"]
        self.model = Encoder(args.buckets, args.dim, args.layers, 4, args.ffn).to(device)
        if args.start is not None:
            self.model.load_state_dict(torch.load(args.start) if args.start.suffix == ".pt"
                                       else export.load(args.start).state_dict())
        self.loss = distil_loss
        self.above = Encoder.above
        if args.compile:
            self.above = torch.compile(Encoder.above, dynamic=False)
            self.loss = torch.compile(distil_loss, dynamic=False)

    def vectors(self, model: Encoder, words: torch.Tensor, drop: float, drop_word: float) -> torch.Tensor:
        with torch.autocast(self.device, torch.bfloat16):
            x, mask = model.embed(self.table, words, drop, drop_word)
            return self.above(model, x, mask)

    def optimizer(self, model: Encoder, extra: list[torch.Tensor], rate: float) -> torch.optim.Optimizer:
        def is_matrix(name: str, p: torch.Tensor) -> bool:
            return p.ndim == 2 and "emb" not in name and "pos" not in name

        matrices = [p for n, p in model.named_parameters() if is_matrix(n, p)]
        plain = [p for n, p in model.named_parameters() if not is_matrix(n, p)]
        groups = [{"params": matrices, "weight_decay": 0.01}, {"params": plain + extra, "weight_decay": 0.0}]
        return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=self.device == "cuda")

    def step(self, model: Encoder, optimizer: torch.optim.Optimizer, loss: torch.Tensor) -> None:
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    def distil(self, seconds: float) -> Encoder:
        args, model = self.args, self.model
        average = Average(model, args.average)
        optimizer = self.optimizer(model, [], args.rate)
        began, step, said = time.monotonic(), 0, 0.0
        model.train()
        while (done := (time.monotonic() - began) / seconds) < 1 and step != args.steps:
            if args.steps > 0:
                done = step / args.steps
            set_rate(optimizer, args.rate, done, step, 500)
            words, target = self.pool.batch(args.batch, self.targets)
            z = self.vectors(model, words, 0.0, 0.01)
            loss = self.loss(z, target)
            self.step(model, optimizer, loss)
            average.update(model, step)
            step += 1
            if time.monotonic() - said > 20:
                said = time.monotonic()
                say(f"distil step {step} length {words.shape[1]} loss {loss.item():.4f} "
                    f"cosine {(z * target).sum(1).mean().item():.4f}")
        say(f"distil: {step} steps of {args.batch} in {time.monotonic() - began:.0f} s")
        return average.model

    def centres(self, model: Encoder) -> dict[str, torch.Tensor]:
        """A class begins at the mean of its rows."""
        model.eval()
        found = {}
        for name, head in self.heads.items():
            centre = torch.zeros(head.count, model.wout.out_features, device=self.device)
            with torch.no_grad(), torch.autocast(self.device, torch.bfloat16):
                for begin in range(0, len(head.words), 8192):
                    z = model(self.table, head.words[begin:begin + 8192])
                    centre.index_add_(0, head.labels[begin:begin + 8192, 0], z.float())
            found[name] = F.normalize(centre + 1e-4, dim=-1).requires_grad_()
        return found

    def wanted(self, places: torch.Tensor) -> torch.Tensor:
        """The teacher's vectors, zeros where there is none."""
        return self.targets[places.clamp(min=0)].float() * (places >= 0)[:, None]

    def supervise(self, start: Encoder, seconds: float) -> Encoder:
        args = self.args
        model = copy.deepcopy(start)
        average = Average(model, 0.998)
        rows = {name: HEAD_ROWS.get(name, CHITCHAT_ROWS) for name in self.heads}
        weights = self.centres(model)
        optimizer = self.optimizer(model, list(weights.values()), args.supervise_rate)
        began, step, said = time.monotonic(), 0, 0.0
        model.train()
        while (done := (time.monotonic() - began) / seconds) < 1:
            set_rate(optimizer, args.supervise_rate, done, step, 100)
            words, target = self.pool.batch(min(args.batch, 4096), self.targets)
            drawn = {name: head.batch(rows[name]) for name, head in self.heads.items()}
            z = self.vectors(model, words, 0.0, 0.01)
            labelled = self.vectors(model, torch.cat([w for w, _, _ in drawn.values()]), args.drop, args.drop / 2)
            parts = labelled.split([rows[name] for name in drawn])
            losses = {name: head_loss(part, weights[name], drawn[name][1], self.wanted(drawn[name][2]), args.soft)
                      for name, part in zip(drawn, parts)}
            near = self.loss(z, target)
            total = sum(losses[n] * rows[n] for n in losses) / sum(rows.values())
            self.step(model, optimizer, near + args.supervise_weight * total)
            average.update(model, step)
            step += 1
            if time.monotonic() - said > 20:
                said = time.monotonic()
                say(f"supervise step {step} distil {near.item():.4f}",
                    " ".join(f"{n} {v.item():.2f}" for n, v in losses.items()))
        say(f"supervise: {step} steps")
        return average.model

    @torch.no_grad()
    def report(self, model: Encoder) -> None:
        """Mean cosine to the target, group by group."""
        entries = np.load(self.args.cache / "entries.npz")
        words = np.load(self.args.cache / "words.npy", mmap_mode="r")
        model.eval()
        found = []
        for g, group in enumerate(self.groups):
            if group not in corpus.WEIGHTS:
                continue
            rows = np.flatnonzero(entries["groups"] == g)[::7][:4096]
            a, b = (self.targets[torch.from_numpy(entries[side][rows]).to(self.device)].float() for side in "ab")
            z = model(self.table, torch.from_numpy(words[rows]).to(self.device))
            found.append(f"{group} {(z * F.normalize(a + b, dim=-1)).sum(1).mean().item():.3f}")
        say("cosine", ", ".join(found))

    @torch.no_grad()
    def embed(self, model: Encoder, texts: list[str]) -> torch.Tensor:
        words, ids = corpus._words_of(texts)
        features = np.concatenate([np.full((1, self.table.shape[1]), model.buckets, np.int32),
                                   corpus._features_of(words, model.buckets)])
        table = torch.from_numpy(features).to(self.device)
        return torch.cat([model(table, torch.from_numpy(ids[i:i + 2048]).to(self.device))
                          for i in range(0, len(ids), 2048)])


def set_rate(optimizer: torch.optim.Optimizer, peak: float, done: float, step: int, warm: int) -> None:
    rate = peak * min(1.0, (step + 1) / warm) * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
    for group in optimizer.param_groups:
        group["lr"] = rate


def coarsen(rows: torch.Tensor, bits: int) -> None:
    """Rounds each row to so many bits, in place: what a smaller table would hold."""
    most = 2 ** (bits - 1) - 1
    scale = rows.abs().amax(1, keepdim=True).clamp(min=1e-12) / most
    rows.copy_((rows / scale).round() * scale)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--carry", type=Path, default=Path(".carry"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--targets", default="raw")
    parser.add_argument("--seconds", type=float, default=500)
    parser.add_argument("--steps", type=int, default=-1, help="end stage 1 after so many, if not by the clock")
    parser.add_argument("--supervise-seconds", type=float, default=90)
    parser.add_argument("--start", type=Path, help="weights to go on from, .sbenc or .pt")
    parser.add_argument("--name", default="full", help="of the second stage's file")
    parser.add_argument("--drop", type=float, default=0.1, help="of the labelled rows' word vectors")
    parser.add_argument("--noisy", type=float, default=0.0, help="share of the labelled rows drawn with typos")
    parser.add_argument("--soft", type=float, default=0.0, help="share of the labels' loss that the teacher decides")
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--average", type=float, default=0.999)
    parser.add_argument("--supervise-rate", type=float, default=6e-4)
    parser.add_argument("--supervise-weight", type=float, default=1.0)
    parser.add_argument("--buckets", type=int, default=BUCKETS)
    parser.add_argument("--dim", type=int, default=256)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--ffn", type=int, default=512)
    parser.add_argument("--table-bits", type=int, default=8, help="under 8: judge a coarser table, write nothing")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high")
    torch._dynamo.config.recompile_limit = 64  # a shape for every length, and those of the labelled rows
    device = "cuda" if torch.cuda.is_available() else "cpu"
    trainer = Trainer(args, device)
    sets = judge.read(args.carry / "judge.tsv.xz")
    say("loaded", {name: len(head.words) for name, head in trainer.heads.items()},
        [(len(c[0]), round(float(s), 3)) for c, s in zip(trainer.pool.classes, trainer.pool.share)])

    def finish(name: str, model: Encoder) -> None:
        if args.table_bits < 8:
            coarsen(model.emb.weight.data, args.table_bits)
        else:
            say(name, export.save(args.out / f"{name}.sbenc", model.state_dict(), model.heads), "bytes")
        trainer.report(model)
        model.eval()
        say(name, judge.scores(sets, lambda texts: trainer.embed(model, texts)))

    first = trainer.model
    if args.seconds > 0:
        first = trainer.distil(args.seconds)
        torch.save(first.state_dict(), args.cache / "stage1.pt")
        finish("stage1", first)
    if args.supervise_seconds > 0:
        finish(args.name, trainer.supervise(first, args.supervise_seconds))


if __name__ == "__main__":
    main()
