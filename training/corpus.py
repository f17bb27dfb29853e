"""Turns the gathered tables into what training samples from: word ids, targets, labels."""

from __future__ import annotations

import functools
import lzma
import multiprocessing
import random
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import augment
import text as text_rules
from teacher import MAX_TOKENS

SIX = ("es", "pt", "zh", "de", "fr")
# How often a stage-1 sample comes from each group; groups not named share `other_locales`.
WEIGHTS = {
    "queries": 24.0, "web": 18.0, "tatoeba": 6.0, "wordnet": 5.0, "substituted": 18.0, "template": 4.0,
    "fragment": 5.0, "joined": 4.0, "noisy": 6.0, "noisy_pairs": 4.0, "xx": 1.0,
    "tatoeba_de": 5.0, "tatoeba_es": 6.0, "tatoeba_fr": 5.0, "tatoeba_zh": 5.0,
    "es": 2.5, "pt": 4.0, "zh": 2.5, "de": 1.5, "fr": 1.5, "tw": 0.5,
}
OTHER_LOCALES = 3.5
UNSEEN = "unseen"  # valid rows: their cosine is reported, they are never drawn
WEIGHTS[UNSEEN] = 0.0


@dataclass
class Tables:
    english: list[tuple[str, str]]
    pairs: list[tuple[str, int, str]]
    labels: list[tuple[str, str, str, str]]
    lemmas: augment.Lemmas


@dataclass
class Entries:
    """Student texts; the target is the mean of the teacher's vectors of texts `a` and `b`."""
    texts: list[str] = field(default_factory=list)
    a: list[int] = field(default_factory=list)
    b: list[int] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)

    def add(self, text: str, a: int, b: int, group: str) -> None:
        self.texts.append(text)
        self.a.append(a)
        self.b.append(b)
        self.groups.append(group)


def read_tables(folder: Path, limit: int = 0, with_pairs: bool = True) -> Tables:
    def lines(name: str) -> list[list[str]]:
        with lzma.open(folder / name, "rt", encoding="utf-8") as f:
            return [line.rstrip("\n").split("\t") for line in f]

    english = [(g, t) for g, t in lines("english.tsv.xz")]
    pairs = [(language, int(line), t) for language, line, t in (lines("pairs.tsv.xz") if with_pairs else ())]
    labels = [(h, l, c, t) for h, l, c, t in lines("labels.tsv.xz")]
    intent = {t: c for h, _, c, t in labels if h == "massive"}
    for language, line, t in pairs:
        if english[line][0] == "massive" and not language.startswith("tatoeba") and english[line][1] in intent:
            labels.append(("massive", language, intent[english[line][1]], t))
    lemmas = augment.Lemmas([(p, l, int(c)) for p, l, c in lines("lemmas.tsv.xz")])
    if limit:
        step = max(1, len(english) // limit)
        english = english[::step]
        pairs = [(l, i // step, t) for l, i, t in pairs if i % step == 0]
        labels = labels[::step]
    return Tables(english, pairs, labels, lemmas)


_tables: Tables | None = None


def _make(job: tuple[str, int, int, tuple[str, ...]]) -> list:
    """One worker's share of made-up texts: strings, or (text, a, b) where the targets are known."""
    kind, count, seed, left_out = job
    rng = random.Random(seed)
    tables = _tables
    assert tables is not None
    english = [i for i, (g, _) in enumerate(tables.english) if g not in left_out]
    queries = [i for i in english if tables.english[i][0] not in ("wordnet", "tatoeba")]
    by_language: dict[str, list[int]] = defaultdict(list)
    if kind == "joined":
        for i, (language, _, _) in enumerate(tables.pairs):
            by_language[language.removeprefix("tatoeba_")].append(i)
    made: list = []
    for _ in range(count):
        source = rng.choice(queries if rng.random() < 0.7 else english)
        line = tables.english[source][1]
        if kind == "template":
            made.append(augment.fill_template(tables.lemmas, rng))
        elif kind == "substituted":
            made.append(augment.substitute(line, tables.lemmas, rng))
        elif kind == "fragment":
            made.append(augment.fragment(line, rng))
        elif kind == "noisy":
            made.append((augment.add_noise(line, rng), source, source))
        elif kind == "noisy_pairs":
            language, target, line = rng.choice(tables.pairs)
            if tables.english[target][0] not in left_out:
                made.append((augment.add_noise(line, rng), target, target))
        elif kind == "joined":
            pool = by_language[rng.choice(SIX)] if rng.random() < 0.35 else []
            if pool:
                (_, a, left), (_, b, right) = (tables.pairs[rng.choice(pool)] for _ in range(2))
            else:
                a, b = source, rng.choice(queries)
                left, right = line, tables.english[b][1]
            made.append((left.rstrip(".?!") + rng.choice(augment.JOINS) + right, a, b))
    return made


def _words_of(texts: list[str]) -> tuple[list[text_rules.Word], np.ndarray]:
    """Local vocabulary and [texts, MAX_WORDS] ids into it, 0 for padding."""
    local: dict[text_rules.Word, int] = {}
    ids = np.zeros((len(texts), text_rules.MAX_WORDS), np.int32)
    for row, text in enumerate(texts):
        for column, word in enumerate(text_rules.words(text)[:text_rules.MAX_WORDS]):
            ids[row, column] = local.setdefault(word, len(local) + 1)
    return list(local), ids


def _features_of(words: list[text_rules.Word], buckets: int = text_rules.BUCKETS) -> np.ndarray:
    rows = np.full((len(words), text_rules.MAX_FEATURES), buckets, np.int32)
    for i, word in enumerate(words):
        found = text_rules.features(word, buckets)
        rows[i, :len(found)] = found
    return rows


_tokenizer_path = ""
_tokenizer = None


def _tokens_of(texts: list[str]) -> np.ndarray:
    global _tokenizer
    if _tokenizer is None:
        import tokenizers
        _tokenizer = tokenizers.Tokenizer.from_file(_tokenizer_path)
        _tokenizer.no_padding()
        _tokenizer.enable_truncation(MAX_TOKENS)
    ids = np.zeros((len(texts), MAX_TOKENS), np.int16)
    for row, encoded in enumerate(_tokenizer.encode_batch(texts)):
        ids[row, :len(encoded.ids)] = encoded.ids
    return ids


def chunks(items: list, size: int = 20_000) -> list[list]:
    return [items[i:i + size] for i in range(0, len(items), size)]


class Builder:
    """Runs the text work on all cores; made before the GPU is touched, since workers are forked."""

    def __init__(self, folder: Path, workers: int, limit: int = 0) -> None:
        global _tables, _tokenizer_path
        self.tables = _tables = read_tables(folder, limit)
        _tokenizer_path = str(folder / "tokenizer.json")
        self.pool = multiprocessing.get_context("fork").Pool(workers)
        self.vocabulary: dict[text_rules.Word, int] = {}

    def entries(self, sizes: dict[str, int], left_out: tuple[str, ...], seed: int) -> tuple[Entries, list[str]]:
        """All distillation entries and the teacher's texts their targets point to."""
        entries = Entries()
        teacher_texts = [t for _, t in self.tables.english]
        for i, (group, t) in enumerate(self.tables.english):
            if group not in left_out:
                entries.add(t, i, i, group if group in ("tatoeba", "wordnet", "web") else "queries")
        for language, line, t in self.tables.pairs:
            if self.tables.english[line][0] not in left_out:
                entries.add(t, line, line, language)
        jobs = [(kind, min(20_000, size - start), seed + start * 31 + n, left_out)
                for n, (kind, size) in enumerate(sizes.items()) for start in range(0, size, 20_000)]
        for job, made in zip(jobs, self.pool.map(_make, jobs, chunksize=1)):
            for item in made:
                if isinstance(item, str):
                    teacher_texts.append(item)
                    entries.add(item, len(teacher_texts) - 1, len(teacher_texts) - 1, job[0])
                else:
                    entries.add(*item, job[0])
        return entries, teacher_texts

    def words(self, texts: list[str]) -> np.ndarray:
        parts = []
        for local, ids in self.pool.imap(_words_of, chunks(texts)):
            remap = np.zeros(len(local) + 1, np.int32)
            for i, word in enumerate(local):
                remap[i + 1] = self.vocabulary.setdefault(word, len(self.vocabulary) + 1)
            parts.append(remap[ids])
        return np.concatenate(parts)

    def feature_table(self, buckets: int = text_rules.BUCKETS) -> np.ndarray:
        """Features of the vocabulary so far; row 0 is padding."""
        first = np.full((1, text_rules.MAX_FEATURES), buckets, np.int32)
        parts = self.pool.imap(functools.partial(_features_of, buckets=buckets), chunks(list(self.vocabulary)))
        return np.concatenate([first, *parts])

    def tokens(self, texts: list[str]) -> np.ndarray:
        return np.concatenate(list(self.pool.imap(_tokens_of, chunks(texts))))

    def close(self) -> None:
        self.pool.terminate()


def sample_weights(groups: list[str]) -> np.ndarray:
    """A weight for each entry, so that groups come up as WEIGHTS says."""
    names, index = np.unique(np.array(groups), return_inverse=True)
    sizes = np.bincount(index)
    others = sum(size for name, size in zip(names, sizes) if name not in WEIGHTS)
    mass = [WEIGHTS[n] / s if n in WEIGHTS else OTHER_LOCALES / others for n, s in zip(names, sizes)]
    weights = np.array(mass)[index]
    return weights / weights.sum()
