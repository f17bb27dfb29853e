"""The text work of training, done once for several runs: words, features, tokens, labels, as arrays in a folder.

    python assemble.py --carry .carry --cache /dev/shm/cache [--leave-out banking77,...] [--buckets 53248,51200]
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

import augment
import corpus
import judge
from losses import say
from text import BUCKETS

LABEL_WORDS = 32
MOST_LABELS = 6
SHARES = {"en": 0.18, "es": 0.16, "pt": 0.18, "zh": 0.16, "de": 0.06, "fr": 0.06, "": 0.2}  # "": all other languages
SIZES = {"substituted": 2_000_000, "template": 500_000, "fragment": 350_000, "joined": 300_000, "noisy": 800_000,
         "noisy_pairs": 600_000}


def label_ids(labels: list[str]) -> tuple[np.ndarray, int]:
    """Up to MOST_LABELS ids a row (-1 is none) and how many there are."""
    names = sorted({name for row in labels for name in row.split("|")})
    index = {name: i for i, name in enumerate(names)}
    ids = np.full((len(labels), MOST_LABELS), -1, np.int64)
    for row, label in enumerate(labels):
        found = [index[name] for name in label.split("|")][:MOST_LABELS]
        ids[row, :len(found)] = found
    return ids, len(names)


def labelled(builder: corpus.Builder, cache: Path, left_out: tuple[str, ...], seed: int) -> dict[str, int]:
    """Writes the rows of every head, drawn by language as SHARES says, each with a noisy copy and with the place of its
    target among the teacher's texts (-1: none)."""
    rng = random.Random(seed)
    place = {t: line for _, line, t in builder.tables.pairs}
    place.update((t, i) for i, (_, t) in enumerate(builder.tables.english))
    by_head: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for head, language, labels, t in builder.tables.labels:
        if head not in left_out:
            by_head[head].append((language, labels, t))
    counts = {}
    for head, found in by_head.items():
        kinds = [language if language in SHARES else "" for language, _, _ in found]
        sizes = Counter(kinds)
        weights = np.array([SHARES[kind] / sizes[kind] for kind in kinds])
        ids, counts[head] = label_ids([labels for _, labels, _ in found])
        texts = [t for _, _, t in found]
        words, noisy = (builder.words(some)[:, :LABEL_WORDS]
                        for some in (texts, [augment.add_noise(t, rng) for t in texts]))
        np.savez(cache / f"head_{head}.npz", words=words, noisy=noisy, labels=ids, weights=weights,
                 targets=np.array([place.get(t, -1) for t in texts]))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--carry", type=Path, default=Path(".carry"))
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--leave-out", default="", help="sets kept out, comma between")
    parser.add_argument("--buckets", default=str(BUCKETS), help="sizes of the feature table, comma between")
    parser.add_argument("--made-up", type=float, default=1.0, help="how much of the made-up text to make")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--shrink", type=int, default=1, help="divide the data, for a dry run")
    args = parser.parse_args()
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    args.cache.mkdir(parents=True, exist_ok=True)
    left_out = tuple(name for name in args.leave_out.split(",") if name)
    builder = corpus.Builder(args.carry, max(2, (os.cpu_count() or 2) - 3), 860_000 // args.shrink if args.shrink > 1 else 0)
    sizes = {kind: int(size * args.made_up) // args.shrink for kind, size in SIZES.items()}
    entries, teacher_texts = builder.entries(sizes, left_out, args.seed)
    for name, parts in judge.read(args.carry / "judge.tsv.xz").items():  # measured, never sampled
        for t, _ in parts["valid"] if judge.is_english(name) else ():
            teacher_texts.append(t)
            entries.add(t, len(teacher_texts) - 1, len(teacher_texts) - 1, corpus.UNSEEN)
    say(len(entries.texts), "entries,", len(teacher_texts), "teacher texts")
    np.save(args.cache / "words.npy", builder.words(entries.texts))
    say(len(builder.vocabulary), "words")
    np.save(args.cache / "tokens.npy", builder.tokens(teacher_texts))
    say("tokens")
    names = sorted(set(entries.groups))
    index = {name: i for i, name in enumerate(names)}
    np.savez(args.cache / "entries.npz", a=np.array(entries.a), b=np.array(entries.b),
             groups=np.array([index[g] for g in entries.groups], np.int16),
             weights=corpus.sample_weights(entries.groups))
    heads = labelled(builder, args.cache, left_out, args.seed)
    (args.cache / "names.json").write_text(json.dumps({"groups": names, "heads": heads}))
    for size in args.buckets.split(","):
        np.save(args.cache / f"features_{size}.npy", builder.feature_table(int(size)))
    say("features of", len(builder.vocabulary), "words; heads", heads)
    builder.close()


if __name__ == "__main__":
    main()
