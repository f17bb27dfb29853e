"""Tunes the teacher on the labelled English rows, held near its old self on general text.

    python tune.py --carry .carry --out tuned.pt --seconds 70 [--leave-out banking77,...]
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch

import corpus
import judge
import teacher
from assemble import label_ids
from losses import distil_loss, head_loss, say

ROWS = {"massive": 256, "clinc150": 192, "banking77": 160, "metatool": 160, "snips": 32, "home_assistant": 64,
        "ms_va_intents": 48, "nlupp": 48, "spider": 32, "chitchat_en": 48}
GENERAL_ROWS = 1024
GENERAL_TEXTS = 240_000
MOST_TOKENS = 40


def cropped(tokens: torch.Tensor) -> torch.Tensor:
    return tokens[:, :int((tokens != 0).sum(1).max())].long()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--carry", type=Path, default=Path(".carry"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--leave-out", default="")
    parser.add_argument("--seconds", type=float, default=70)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--near", type=float, default=2.0, help="weight of staying near the untuned teacher")
    parser.add_argument("--shrink", type=int, default=1)
    parser.add_argument("--skip-judge", action="store_true")
    args = parser.parse_args()
    os.environ["TOKENIZERS_PARALLELISM"] = "true"
    torch.manual_seed(3)
    torch.set_float32_matmul_precision("high")
    left_out = set(args.leave_out.split(","))
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tables = corpus.read_tables(args.carry, with_pairs=False)
    corpus._tokenizer_path = str(args.carry / "tokenizer.json")

    def tokens(texts: list[str]) -> torch.Tensor:
        return torch.from_numpy(corpus._tokens_of(texts)[:, :MOST_TOKENS].astype(np.int32)).to(device)

    by_head: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for head, language, labels, text in tables.labels:
        if language == "en" and head in ROWS and head not in left_out:
            by_head[head][0].append(text)
            by_head[head][1].append(labels)
    heads = {}
    for head, (texts, labels) in by_head.items():
        step = args.shrink
        ids, count = label_ids(labels)
        heads[head] = (tokens(texts[::step]), torch.from_numpy(ids[::step]).to(device), count)
    general = [t for g, t in tables.english if g not in left_out and g != "wordnet"]
    random.Random(5).shuffle(general)
    general_tokens = tokens(general[:GENERAL_TEXTS // args.shrink])
    sets = judge.read(args.carry / "judge.tsv.xz")
    say("tune: heads", {h: (len(t[0]), t[2]) for h, t in heads.items()}, "general", len(general_tokens))

    w = teacher.load(args.carry / "teacher.xz", device, torch.float32)
    half = torch.bfloat16

    def vectors_of(weights: dict[str, torch.Tensor], t: torch.Tensor) -> torch.Tensor:
        packed = {n: v.to(half) for n, v in weights.items()} if device == "cuda" else weights
        return teacher.encode(packed, t.cpu().numpy(), device, 4096 if device == "cuda" else 64)

    def embed(texts: list[str]) -> torch.Tensor:
        return vectors_of(w, tokens(texts)).float()

    if not args.skip_judge:
        say("teacher", judge.scores(sets, embed, english_only=True))
    old = vectors_of(w, general_tokens)
    centres = []
    with torch.no_grad():
        for t, labels, count in heads.values():
            total = torch.zeros(count, teacher.DIM, device=device)
            total.index_add_(0, labels[:, 0], vectors_of(w, t).float())
            centres.append(torch.nn.functional.normalize(total + 1e-4, dim=-1).requires_grad_())
    for value in w.values():
        value.requires_grad_()
    optimizer = torch.optim.AdamW([{"params": list(w.values()), "lr": args.rate, "scale": 1.0},
                                   {"params": centres, "lr": 1e-3, "scale": 1e-3 / args.rate}],
                                  weight_decay=0.0, fused=device == "cuda")
    rows = {h: ROWS[h] if device == "cuda" else 4 for h in heads}
    began, step, said = time.monotonic(), 0, 0.0
    while (done := (time.monotonic() - began) / args.seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = args.rate * group["scale"] * min(1.0, (step + 1) / 50) * (1 - done)
        drawn, wanted = [], []
        for head, (t, labels, _) in heads.items():
            pick = torch.randint(len(t), (rows[head],), device=device)
            drawn.append(t[pick])
            wanted.append(labels[pick])
        pick = torch.randint(len(general_tokens), (GENERAL_ROWS if device == "cuda" else 16,), device=device)
        with torch.autocast(device, half, enabled=device == "cuda"):
            z = teacher.forward(w, cropped(torch.cat(drawn)))
            near = teacher.forward(w, cropped(general_tokens[pick]))
        parts = z.split([len(d) for d in drawn])
        losses = [head_loss(part, centre, label) for part, centre, label in zip(parts, centres, wanted)]
        stay = distil_loss(near, old[pick].float())
        loss = args.near * stay + sum(l * len(d) for l, d in zip(losses, drawn)) / len(z)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(w.values()), 1.0)
        optimizer.step()
        step += 1
        if time.monotonic() - said > 10:
            said = time.monotonic()
            say(f"tune step {step} stay {stay.item():.3f}",
                " ".join(f"{h} {l.item():.2f}" for h, l in zip(heads, losses)))
    say(f"tune: {step} steps")
    w = {n: v.detach() for n, v in w.items()}
    torch.save({n: v.cpu() for n, v in w.items()}, args.out)
    if not args.skip_judge:
        say("tuned", judge.scores(sets, embed, english_only=True))


if __name__ == "__main__":
    main()
