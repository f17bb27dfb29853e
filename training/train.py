"""Trains the encoder: distillation, then distillation with supervised heads.

    python train.py --carry .carry --out out --seconds 560

Writes stage1.sbenc, full.sbenc and, with --leave-out, ablation.sbenc (a second stage that never saw those sets).
Time rules: the schedule follows the clock, so that a run ends when it must, whatever the machine.
"""

from __future__ import annotations

import argparse
import copy
import math
import os
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import corpus
import export
import sbenc
import teacher
from model import HEADS, Encoder

LENGTHS = (8, 12, 16, 24, 48)
HEAD_ROWS = {"massive": 512, "clinc150": 256, "banking77": 192, "metatool": 256, "snips": 64, "home_assistant": 128,
             "ms_va_intents": 96, "nlupp": 64, "spider": 48}
CHITCHAT_ROWS = 48
LABEL_WORDS = 32
SIZES = {"substituted": 1_400_000, "template": 800_000, "fragment": 300_000, "joined": 300_000, "noisy": 600_000,
         "noisy_pairs": 600_000}
BEGAN = time.monotonic()


def say(*parts: object) -> None:
    print(f"[{time.monotonic() - BEGAN:6.1f}s]", *parts, flush=True)


class Pool:
    """Distillation entries on the device, sampled by weight within one length class at a time."""

    def __init__(self, words: np.ndarray, a: list[int], b: list[int], weights: np.ndarray, device: str) -> None:
        lengths = (words != 0).sum(1)
        self.device = device
        self.classes = []
        self.mass = []
        low = 0
        for high in LENGTHS:
            rows = np.flatnonzero((lengths > low) & (lengths <= high))
            low = high
            if len(rows) == 0:
                continue
            self.mass.append(float(weights[rows].sum()))
            self.classes.append((
                torch.from_numpy(words[rows, :high]).to(device),
                torch.from_numpy(np.array(a)[rows]).to(device), torch.from_numpy(np.array(b)[rows]).to(device),
                torch.from_numpy(np.cumsum(weights[rows] / weights[rows].sum())).to(device)))
        self.random = np.random.default_rng(1)

    def batch(self, size: int, targets: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        pick = self.random.choice(len(self.mass), p=np.array(self.mass) / sum(self.mass))
        words, a, b, cumulative = self.classes[pick]
        draw = torch.rand(size, device=self.device, dtype=torch.float64)
        rows = torch.searchsorted(cumulative, draw).clamp(max=len(words) - 1)
        target = F.normalize(targets[a[rows]].float() + targets[b[rows]].float(), dim=-1)
        return words[rows], target


class Labelled:
    """Rows of one supervised head: words, up to six labels a row (-1 is none), weights for sampling."""

    def __init__(self, words: np.ndarray, labels: list[str], weights: np.ndarray, device: str) -> None:
        self.names = sorted({name for row in labels for name in row.split("|")})
        index = {name: i for i, name in enumerate(self.names)}
        ids = np.full((len(labels), 6), -1, np.int64)
        for row, label in enumerate(labels):
            found = [index[name] for name in label.split("|")][:6]
            ids[row, :len(found)] = found
        self.words = torch.from_numpy(words).to(device)
        self.labels = torch.from_numpy(ids).to(device)
        self.cumulative = torch.from_numpy(np.cumsum(weights / weights.sum())).to(device)

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor]:
        draw = torch.rand(size, device=self.words.device, dtype=torch.float64)
        rows = torch.searchsorted(self.cumulative, draw).clamp(max=len(self.words) - 1)
        return self.words[rows], self.labels[rows]


def distil_loss(z: torch.Tensor, target: torch.Tensor, temperature: float = 0.05) -> torch.Tensor:
    cosine = (z * target).sum(1).mean()
    own = torch.eye(len(z), dtype=torch.bool, device=z.device)
    wanted = (target @ target.T / temperature).masked_fill(own, -1e4).softmax(1)
    got = (z @ z.T / temperature).masked_fill(own, -1e4).log_softmax(1)
    return 5 * (1 - cosine) + F.kl_div(got, wanted, reduction="batchmean")


def head_loss(z: torch.Tensor, weight: torch.Tensor, labels: torch.Tensor, scale: float = 20.0) -> torch.Tensor:
    """Cosine softmax; a row with several labels wants them all alike."""
    logits = (z @ F.normalize(weight, dim=-1).T * scale).log_softmax(1)
    real = labels >= 0
    picked = logits.gather(1, labels.clamp(min=0)).masked_fill(~real, 0).sum(1) / real.sum(1)
    return -(0.95 * picked + 0.05 * logits.mean(1)).mean()


class Average:
    """A running mean of the weights, which is what gets exported."""

    def __init__(self, model: Encoder, decay: float) -> None:
        self.decay = decay
        self.model = copy.deepcopy(model)

    @torch.no_grad()
    def update(self, model: Encoder, step: int) -> None:
        rate = 1 - min(self.decay, (1 + step) / (10 + step))
        torch._foreach_lerp_(list(self.model.parameters()), list(model.parameters()), rate)


def optimizer_for(model: Encoder, extra: list[torch.Tensor], rate: float, fused: bool) -> torch.optim.Optimizer:
    matrices = [p for n, p in model.named_parameters() if p.ndim == 2 and "emb" not in n and "pos" not in n]
    plain = [p for n, p in model.named_parameters() if not (p.ndim == 2 and "emb" not in n and "pos" not in n)]
    groups = [{"params": matrices, "weight_decay": 0.01}, {"params": plain + extra, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=fused)


def set_rate(optimizer: torch.optim.Optimizer, peak: float, done: float, step: int, warm: int) -> None:
    rate = peak * min(1.0, (step + 1) / warm) * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
    for group in optimizer.param_groups:
        group["lr"] = rate


def distil(model: Encoder, table: torch.Tensor, pool: Pool, targets: torch.Tensor, until: float, batch: int,
           rate: float) -> Encoder:
    average = Average(model, 0.999)
    optimizer = optimizer_for(model, [], rate, table.is_cuda)
    began, step, said = time.monotonic(), 0, 0.0
    model.train()
    while (now := time.monotonic()) < until:
        set_rate(optimizer, rate, (now - began) / (until - began), step, 500)
        words, target = pool.batch(batch, targets)
        with torch.autocast(table.device.type, torch.bfloat16):
            z = model(table, words, 0.0, 0.01)
        loss = distil_loss(z, target)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        average.update(model, step)
        step += 1
        if now - said > 10:
            said = now
            say(f"distil step {step} length {words.shape[1]} loss {loss.item():.4f} "
                f"cosine {(z * target).sum(1).mean().item():.4f}")
    say(f"distil: {step} steps of {batch}")
    return average.model


def supervise(start: Encoder, table: torch.Tensor, pool: Pool, targets: torch.Tensor, heads: dict[str, Labelled],
              seconds: float, batch: int, rate: float, weight: float) -> Encoder:
    model = copy.deepcopy(start)
    average = Average(model, 0.995)
    rows = {name: HEAD_ROWS.get(name, CHITCHAT_ROWS) for name in heads}
    weights: dict[str, torch.Tensor] = {}
    model.eval()
    for name, head in heads.items():  # a class begins at the mean of its rows
        centre = torch.zeros(len(head.names), model.wout.out_features, device=table.device)
        with torch.no_grad(), torch.autocast(table.device.type, torch.bfloat16):
            for begin in range(0, len(head.words), 8192):
                z = model(table, head.words[begin:begin + 8192])
                centre.index_add_(0, head.labels[begin:begin + 8192, 0], z.float())
        weights[name] = F.normalize(centre + 1e-4, dim=-1).requires_grad_()
    optimizer = optimizer_for(model, list(weights.values()), rate, table.is_cuda)
    began, step, said = time.monotonic(), 0, 0.0
    model.train()
    while (now := time.monotonic()) < began + seconds:
        set_rate(optimizer, rate, (now - began) / seconds, step, 100)
        words, target = pool.batch(batch, targets)
        drawn = {name: head.batch(rows[name]) for name, head in heads.items()}
        with torch.autocast(table.device.type, torch.bfloat16):
            z = model(table, words, 0.0, 0.01)
            labelled = model(table, torch.cat([w for w, _ in drawn.values()]), 0.1, 0.05)
        parts = labelled.split([rows[name] for name in drawn])
        losses = {name: head_loss(part, weights[name], drawn[name][1]) for name, part in zip(drawn, parts)}
        near = distil_loss(z, target)
        loss = near + weight * sum(losses[n] * rows[n] for n in losses) / sum(rows.values())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        average.update(model, step)
        step += 1
        if now - said > 10:
            said = now
            say(f"supervise step {step} distil {near.item():.4f}",
                " ".join(f"{n} {v.item():.2f}" for n, v in losses.items()))
    say(f"supervise: {step} steps")
    return average.model


@torch.no_grad()
def report(model: Encoder, table: torch.Tensor, targets: torch.Tensor, words: np.ndarray,
           entries: corpus.Entries) -> None:
    """Mean cosine to the target, group by group."""
    groups = np.array(entries.groups)
    model.eval()
    found = []
    for group in sorted(set(corpus.WEIGHTS) & set(entries.groups)):
        rows = np.flatnonzero(groups == group)[::7][:4096]
        a, b = (targets[torch.tensor([side[i] for i in rows], device=table.device)].float()
                for side in (entries.a, entries.b))
        z = model(table, torch.from_numpy(words[rows]).to(table.device))
        found.append(f"{group} {(z * F.normalize(a + b, dim=-1)).sum(1).mean().item():.3f}")
    say("cosine", ", ".join(found))


@torch.no_grad()
def rehash(model: Encoder, old: torch.Tensor, new: torch.Tensor, counts: torch.Tensor) -> None:
    """Moves embeddings learnt under the unmixed hash: a bucket gets the mean of its features' old rows."""
    total = torch.zeros_like(model.emb.weight)
    mass = torch.zeros(len(total), 1, device=total.device)
    for start in range(0, len(old), 50_000):
        a, b = (t[start:start + 50_000].long().flatten() for t in (old, new))
        share = counts[start:start + 50_000].repeat_interleave(old.shape[1])[:, None]
        total.index_add_(0, b, model.emb.weight[a] * share)
        mass.index_add_(0, b, share)
    unused = mass[:, 0] == 0
    rows = total / mass.clamp(min=1e-9)
    rows[unused] = torch.randn(int(unused.sum()), rows.shape[1], device=rows.device) * 0.05
    rows[-1] = 0
    model.emb.weight.copy_(rows)
    say("rehashed,", int(unused.sum()), "buckets unused")


def labelled_heads(builder: corpus.Builder, device: str) -> dict[str, Labelled]:
    by_head: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for head, language, labels, t in builder.tables.labels:
        by_head[head].append((language, labels, t))
    heads = {}
    for head, found in by_head.items():
        near = np.array([language in ("en", *corpus.SIX) for language, _, _ in found])
        weights = np.where(near, 0.7 / max(1, near.sum()), 0.3 / max(1, (~near).sum()))
        words = builder.words([t for _, _, t in found])[:, :LABEL_WORDS]
        heads[head] = Labelled(words, [labels for _, labels, _ in found], weights, device)
        say("head", head, len(found), "rows", len(heads[head].names), "labels")
    return heads


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--carry", type=Path, default=Path(".carry"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--resume", type=Path, help="begin from this encoder.sbenc")
    parser.add_argument("--leave-out", default="", help="sets kept from stage 1 and from the ablation, comma between")
    parser.add_argument("--seconds", type=float, default=560)
    parser.add_argument("--supervise-seconds", type=float, default=90)
    parser.add_argument("--ablation-seconds", type=float, default=60)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--supervise-rate", type=float, default=6e-4)
    parser.add_argument("--supervise-weight", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--shrink", type=int, default=1, help="divide the data, for a dry run")
    parser.add_argument("--made-up", type=float, default=1.0, help="how much of the made-up text to make")
    args = parser.parse_args()
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    args.out.mkdir(parents=True, exist_ok=True)
    left_out = tuple(name for name in args.leave_out.split(",") if name)

    builder = corpus.Builder(args.carry, os.cpu_count() or 2, 680_000 // args.shrink if args.shrink > 1 else 0)
    sizes = {kind: int(size * args.made_up) // args.shrink for kind, size in SIZES.items()}
    entries, teacher_texts = builder.entries(sizes, left_out, args.seed)
    for path in sorted((args.carry / "data").rglob("valid.tsv")):  # measured, never sampled
        for row in path.read_text("utf-8").splitlines():
            teacher_texts.append(row.split("\t")[0])
            entries.add(teacher_texts[-1], len(teacher_texts) - 1, len(teacher_texts) - 1, corpus.UNSEEN)
    say(len(entries.texts), "entries,", len(teacher_texts), "teacher texts")
    words = builder.words(entries.texts)
    say(len(builder.vocabulary), "words")
    tokens = builder.tokens(teacher_texts)
    say("tokens", tokens.shape)

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(args.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    heads = labelled_heads(builder, device)
    table = torch.from_numpy(builder.feature_table()).to(device)
    moved = args.resume is not None and not sbenc.is_mixed(args.resume)
    old_table = torch.from_numpy(builder.feature_table(mixed=False)).to(device) if moved else None
    builder.close()
    say("features", tuple(table.shape))
    bert = teacher.load(args.carry / "teacher.xz", device, torch.bfloat16 if device == "cuda" else torch.float32)
    targets = teacher.encode(bert, tokens, device)
    del bert
    say("teacher vectors", tuple(targets.shape))
    pool = Pool(words, entries.a, entries.b, corpus.sample_weights(entries.groups), device)
    say("length classes", [(len(c[0]), round(m, 3)) for c, m in zip(pool.classes, pool.mass)])

    model = (export.load(args.resume) if args.resume else Encoder()).to(device)
    if old_table is not None:
        counts = torch.from_numpy(np.bincount(words.ravel(), minlength=len(table)).astype(np.float32)).to(device)
        rehash(model, old_table, table, counts.clamp(min=0.1))
        del old_table
    later = args.supervise_seconds + (args.ablation_seconds if left_out else 0) + 12
    model = distil(model, table, pool, targets, BEGAN + args.seconds - later, args.batch, args.rate)
    report(model, table, targets, words, entries)
    say("stage1", export.save(args.out / "stage1.sbenc", model.state_dict(), HEADS), "bytes")

    def second(name: str, used: dict[str, Labelled], seconds: float) -> None:
        tuned = supervise(model, table, pool, targets, used, seconds, args.batch // 2, args.supervise_rate,
                          args.supervise_weight)
        say(name, export.save(args.out / f"{name}.sbenc", tuned.state_dict(), HEADS), "bytes")
        report(tuned, table, targets, words, entries)
        if name == "full":
            state = tuned.state_dict()
            middle = {n: (v + state[n]) / 2 for n, v in model.state_dict().items()}
            say("half", export.save(args.out / "half.sbenc", middle, HEADS), "bytes")

    second("full", heads, args.supervise_seconds)
    if left_out:
        second("ablation", {n: h for n, h in heads.items() if n not in left_out}, args.ablation_seconds)


if __name__ == "__main__":
    main()
