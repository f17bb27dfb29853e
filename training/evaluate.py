"""Scores encoder files on the valid rows, with the linear heads the router uses.

    python evaluate.py --data ../../shared/data out/full.sbenc [...] [--quick]

The head is a linear SVM over the vectors scaled by 2, beside TF-IDF n-grams. `teacher` as a file name scores the
teacher's own vectors (English sets only).
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy.sparse as sp
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC

import corpus
import export
import teacher
from prepare import kept_for_measuring, rows

Set = tuple[list[str], list[str], list[str], list[str]]  # train texts, train labels, valid texts, valid labels
Embed = Callable[[list[str]], np.ndarray]


def read_set(train: Path, valid: Path) -> Set:
    first, second = list(rows(train)), list(rows(valid))
    return [r[0] for r in first], [r[1] for r in first], [r[0] for r in second], [r[1] for r in second]


def few(data: Set, shots: int, seed: int = 1) -> Set:
    by_label = defaultdict(list)
    for text, label in zip(data[0], data[1]):
        by_label[label].append(text)
    chosen = [(t, label) for label, texts in sorted(by_label.items())
              for t in random.Random(seed).sample(texts, min(shots, len(texts)))]
    return [t for t, _ in chosen], [label for _, label in chosen], data[2], data[3]


def metatool(data: Path) -> Set:
    found = list(rows(data / "tools/metatool/single.tsv"))
    kept = [r for r in found if kept_for_measuring(r[0])]
    rest = [r for r in found if not kept_for_measuring(r[0])]
    return [r[0] for r in rest], [r[1] for r in rest], [r[0] for r in kept], [r[1] for r in kept]


def subjects(data: Path) -> Set:
    found = list(rows(data / "routing/kb_exemplars.tsv"))
    random.Random(3).shuffle(found)
    half = len(found) // 2
    return ([r[0] for r in found[:half]], [r[1] for r in found[:half]],
            [r[0] for r in found[half:]], [r[1] for r in found[half:]])


def student(path: Path) -> Embed:
    model = export.load(path).eval()

    def embed(texts: list[str]) -> np.ndarray:
        words, ids = corpus._words_of(texts)
        table = torch.from_numpy(corpus._features_of(words))
        table = torch.cat([torch.full((1, table.shape[1]), model.buckets, dtype=table.dtype), table])
        lengths = (ids != 0).sum(1)
        order = np.argsort(lengths, kind="stable")
        out = np.zeros((len(texts), model.wout.out_features), np.float32)
        with torch.inference_mode():
            for start in range(0, len(texts), 256):
                part = order[start:start + 256]
                width = max(1, int(lengths[part].max()))
                out[part] = model(table, torch.from_numpy(ids[part, :width]).long()).numpy()
        return out

    return embed


def bge(carry: Path) -> Embed:
    weights = teacher.load(carry / "teacher.xz", "cpu", torch.float32)
    corpus._tokenizer_path = str(carry / "tokenizer.json")
    return lambda texts: teacher.encode(weights, corpus._tokens_of(texts), "cpu", 128).float().numpy()


class Grams:
    """TF-IDF of words 1-2 and characters 2-5 inside words."""

    def __init__(self, texts: list[str], chinese: bool) -> None:
        pattern = r"(?u)\b\w+\b" if not chinese else r"(?u)\w"
        self.words = TfidfVectorizer(ngram_range=(1, 2), token_pattern=pattern, sublinear_tf=True)
        self.chars = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True)
        self.words.fit(texts)
        self.chars.fit(texts)

    def __call__(self, texts: list[str]) -> sp.csr_matrix:
        return sp.hstack([self.words.transform(texts), self.chars.transform(texts)]).tocsr()


def accuracy(data: Set, train: np.ndarray, valid: np.ndarray, grams: bool, chinese: bool = False) -> float:
    x, y = 2 * train, 2 * valid
    if grams:
        made = Grams(data[0], chinese)
        x = sp.hstack([sp.csr_matrix(x), made(data[0])]).tocsr()
        y = sp.hstack([sp.csr_matrix(y), made(data[2])]).tocsr()
    head = LinearSVC(C=0.5, dual=grams or len(data[0]) < 400).fit(x, data[1])
    return 100 * float((head.predict(y) == np.array(data[3])).mean())


def out_of_scope(folder: Path, data: Set, embed: Embed, shift: float = 0.6) -> dict[str, float]:
    """Out of scope as one more class whose score is shifted up: accuracy in scope, recall outside."""
    extra, outside = ([r[0] for r in rows(folder / f"intent/clinc150/oos_{part}.tsv")] for part in ("train", "valid"))
    texts, labels = data[0] + extra, data[1] + ["oos"] * len(extra)
    made = Grams(texts, False)

    def matrix(texts: list[str]) -> sp.csr_matrix:
        return sp.hstack([sp.csr_matrix(2 * embed(texts)), made(texts)]).tocsr()

    head = LinearSVC(C=0.5).fit(matrix(texts), labels)
    bonus = shift * (head.classes_ == "oos")
    inside = head.classes_[(head.decision_function(matrix(data[2])) + bonus).argmax(1)]
    refused = head.classes_[(head.decision_function(matrix(outside)) + bonus).argmax(1)]
    return {"in scope": 100 * float((inside == np.array(data[3])).mean()),
            "out of scope recall": 100 * float((refused == "oos").mean())}


def sets(folder: Path) -> dict[str, Set]:
    found = {name: read_set(folder / f"intent/{name}/train.tsv", folder / f"intent/{name}/valid.tsv")
             for name in ("banking77", "clinc150", "snips")}
    for locale in ("en-US", "es-ES", "pt-PT", "zh-CN"):
        massive = folder / "intent/massive"
        found[f"massive {locale[:2]}"] = read_set(massive / f"{locale}.train.tsv", massive / f"{locale}.valid.tsv")
    found["metatool"] = metatool(folder)
    found["subjects"] = subjects(folder)
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--carry", type=Path, default=Path(".carry"))
    parser.add_argument("--quick", action="store_true", help="only ten examples a label, vectors alone")
    parser.add_argument("--only", default="", help="names of sets, comma between")
    args = parser.parse_args()
    torch.set_num_threads(1)
    only = args.only.split(",") if args.only else None
    for file in args.files:
        embed = bge(args.carry) if file == "teacher" else student(Path(file))
        for name, data in sets(args.data).items():
            if only is not None and name not in only or file == "teacher" and name[-2:] in ("es", "pt", "zh"):
                continue
            small = data if name == "subjects" else few(data, 10)
            train, valid = embed(small[0]), embed(data[2])
            chinese = name.endswith("zh")

            def show(head: str, score: float) -> None:
                print(f"{Path(file).name}\t{name}\t{head}\t{score:.1f}", flush=True)

            show("10 shots", accuracy(small, train, valid, False))
            show("10 shots + n-grams", accuracy(small, train, valid, True, chinese))
            if not args.quick and name != "subjects":
                show("all + n-grams", accuracy(data, embed(data[0]), valid, True, chinese))
                if name == "clinc150":
                    for part, score in out_of_scope(args.data, data, embed).items():
                        show(part, score)


if __name__ == "__main__":
    main()
