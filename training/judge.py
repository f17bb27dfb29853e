"""Linear SVM heads on the valid rows, solved on the device: a quick look during training.

Sets come from judge.tsv.xz (set, part, label, text), written by prepare.py. evaluate.py has the slower, fuller table.
"""

from __future__ import annotations

import lzma
import random
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import torch

Embed = Callable[[list[str]], torch.Tensor]
SHOTS = (10,)
SEEDS = (1, 2, 3)
CLASSES_AT_ONCE = 25


def read(path: Path) -> dict[str, dict[str, list[tuple[str, str]]]]:
    """Rows (text, label) by set and part."""
    sets: dict[str, dict[str, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
    with lzma.open(path, "rt", encoding="utf-8") as f:
        for line in f:
            name, part, label, text = line.rstrip("\n").split("\t")
            sets[name][part].append((text, label))
    return sets


def is_english(name: str) -> bool:
    return name[-3:] not in (" es", " pt", " zh")


@torch.no_grad()
def svm(x: torch.Tensor, labels: torch.Tensor, classes: int, cost: float = 0.5) -> torch.Tensor:
    """One against the rest, squared hinge, L2, by Newton's method; the bias is the last row."""
    x = torch.cat([2 * x.float(), torch.ones(len(x), 1, device=x.device)], 1)
    signs = torch.full((len(x), classes), -1.0, device=x.device)
    signs[torch.arange(len(x), device=x.device), labels] = 1.0
    w = torch.zeros(x.shape[1], classes, device=x.device)
    identity = torch.eye(x.shape[1], device=x.device)

    def worth(w: torch.Tensor) -> torch.Tensor:
        return 0.5 * (w * w).sum(0) + cost * (1 - signs * (x @ w)).clamp(min=0).square().sum(0)

    for _ in range(8):
        lack = (1 - signs * (x @ w)).clamp(min=0)
        gradient = w - 2 * cost * x.T @ (signs * lack)
        step = torch.empty_like(w)
        for first in range(0, classes, CLASSES_AT_ONCE):
            some = slice(first, first + CLASSES_AT_ONCE)
            near = (lack[:, some] > 0).float().T[:, :, None] * x  # [class, row, column]
            root = torch.linalg.cholesky(identity + 2 * cost * near.transpose(1, 2) @ x)
            step[:, some] = torch.cholesky_solve(gradient[:, some].T[:, :, None], root)[:, :, 0].T
        now, size = worth(w), torch.ones(classes, device=x.device)
        for _ in range(4):
            size = torch.where(worth(w - step * size) > now, size / 2, size)
        w -= step * size
    return w


def accuracy(x: torch.Tensor, labels: list[str], y: torch.Tensor, wanted: list[str]) -> float:
    names = sorted(set(labels))
    index = {name: i for i, name in enumerate(names)}
    ids = torch.tensor([index[label] for label in labels], device=x.device)
    precision = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest")
    w = svm(x, ids, len(names))
    torch.set_float32_matmul_precision(precision)
    best = (2 * y.float() @ w[:-1] + w[-1]).argmax(1).tolist()
    return 100 * sum(names[b] == label for b, label in zip(best, wanted)) / len(wanted)


def few(labels: list[str], shots: int, seed: int) -> list[int]:
    by_label = defaultdict(list)
    for i, label in enumerate(labels):
        by_label[label].append(i)
    rng = random.Random(seed)
    return [i for label in sorted(by_label) for i in rng.sample(by_label[label], min(shots, len(by_label[label])))]


def scores(sets: dict[str, dict[str, list[tuple[str, str]]]], embed: Embed, english_only: bool = False) -> str:
    """Each set: few examples a label (mean over seeds), then all."""
    found = []
    for name, parts in sets.items():
        if english_only and not is_english(name):
            continue
        x, y = (embed([t for t, _ in parts[part]]) for part in ("train", "valid"))
        labels, wanted = ([label for _, label in parts[part]] for part in ("train", "valid"))
        row = []
        for shots in SHOTS if name != "subjects" else ():
            total = 0.0
            for seed in SEEDS:
                chosen = few(labels, shots, seed)
                total += accuracy(x[chosen], [labels[i] for i in chosen], y, wanted)
            row.append(total / len(SEEDS))
        row.append(accuracy(x, labels, y, wanted))
        found.append(f"{name} " + " ".join(f"{v:.1f}" for v in row))
    return ", ".join(found)
