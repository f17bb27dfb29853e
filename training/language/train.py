#!/usr/bin/env python3
"""Trains the language table and writes it as C++: train.py DATA OUT.inc

Every feature (a word, or a group of two to four letters, hashed to a row) has a row of small weights; a
text is the sum of its rows; one output row a language and a softmax over the languages of the text's
script give the answer. Weights are rounded to printable characters, so the table is a string literal.
Needs numpy and scipy; deterministic for one version of them.
"""
import random
import subprocess
import sys
import tempfile
import unicodedata

import numpy as np
import scipy.sparse as sparse

import corpus

ROWS, WIDTH = 8192, 32
SCRIPTS = {1: "Latin", 2: "Cyrillic", 3: "Arabic", 4: "Devanagari"}
ROOT = corpus.os.path.join(corpus.os.path.dirname(corpus.os.path.abspath(__file__)), "..", "..")

# Rows a language contributes to an epoch: how common it is among users, and how much text there is of it.
DRAWS = {"en": 120000, "es": 50000, "pt": 45000, "fr": 45000, "de": 45000, "it": 30000, "nl": 22000,
         "sv": 18000, "pl": 16000, "ca": 12000, "id": 20000, "ms": 4000, "jv": 5000, "af": 9000,
         "uk": 8000, "bg": 5000, "gl": 500, "sr": 1500, "hr": 2500, "eu": 1000, "lt": 1500}
DRAWS_DEFAULT = 14000
# Share of a language's rows that are everyday phrases from seeds.tsv; languages with little other text
# see each phrase THIN_REPEATS times at most, or a phrase shared with a neighbour would become theirs.
SEED_SHARE, THIN_REPEATS = 0.1, 4


def features(texts):
    """Script and feature rows of every text, as the program itself reads them."""
    with tempfile.TemporaryDirectory() as folder:
        tool = f"{folder}/dump_features"
        subprocess.run(["c++", "-std=c++20", "-O2", f"-I{ROOT}/src", f"{ROOT}/training/language/dump_features.cpp",
                        f"{ROOT}/src/normalize/language_features.cpp", f"{ROOT}/src/base/utf8.cpp", "-o", tool], check=True)
        out = subprocess.run([tool], input="\n".join(t.replace("\n", " ") for t in texts).encode(),
                             stdout=subprocess.PIPE, check=True).stdout
    scripts, starts, rows, at = [], [0], [], 0
    while at < len(out):
        scripts.append(out[at])
        count = int.from_bytes(out[at + 1:at + 3], "little")
        rows.append(np.frombuffer(out, np.uint16, count, at + 3))
        starts.append(starts[-1] + count)
        at += 3 + 2 * count
    matrix = sparse.csr_matrix((np.ones(starts[-1], np.float32), np.concatenate(rows).astype(np.int32),
                                np.array(starts)), shape=(len(scripts), ROWS))
    counts = np.maximum(np.diff(starts), 1).astype(np.float32)
    return np.array(scripts), sparse.diags(1 / np.sqrt(counts)) @ matrix


def training_rows(data):
    """(language, text, whether it is an everyday phrase)"""
    rng = random.Random(7)
    seen, rows = set(), []
    for source in (corpus.seeds, corpus.massive, corpus.home_assistant, corpus.chitchat, corpus.chatterbot,
                   corpus.tatoeba, corpus.english):
        for language, text in source(data):
            text = unicodedata.normalize("NFC", text)
            if (language, text) in seen:
                continue
            seen.add((language, text))
            rows.extend((language, variant, source is corpus.seeds) for variant in corpus.variants(text, rng))
    return rows


class Model:
    def __init__(self, classes, rng):
        self.table = rng.normal(0, 0.1, (ROWS, WIDTH)).astype(np.float32)
        self.out = rng.normal(0, 0.3, (classes, WIDTH)).astype(np.float32)
        self.bias = np.zeros(classes, np.float32)
        self.moments = [(np.zeros_like(p), np.zeros_like(p)) for p in (self.table, self.out, self.bias)]
        self.steps = 0

    def logits(self, x, mask):
        return np.where(mask, (x @ self.table) @ self.out.T + self.bias, -1e9)

    def step(self, x, target, mask, rate):
        hidden = x @ self.table
        scores = np.where(mask, hidden @ self.out.T + self.bias, -1e9)
        p = np.exp(scores - scores.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        rows = np.arange(len(target))
        loss = -np.log(p[rows, target] + 1e-9).mean()
        smooth = mask / mask.sum(1, keepdims=True)
        p -= 0.03 * smooth
        p[rows, target] -= 0.97
        p /= len(target)
        gradients = (x.T @ (p @ self.out) + 1e-7 * self.table, p.T @ hidden, p.sum(0))
        self.steps += 1
        for value, (m, v), g in zip((self.table, self.out, self.bias), self.moments, gradients):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            value -= rate * (m / (1 - 0.9 ** self.steps)) / (np.sqrt(v / (1 - 0.999 ** self.steps)) + 1e-8)
        return loss


def train(x, y, masks, groups, rng, epochs):
    model = Model(masks.shape[1], rng)
    sizes = []
    for language, found, phrases in groups:
        size = min(DRAWS.get(language, DRAWS_DEFAULT), 4 * len(found))
        sizes.append((size, min(int(SEED_SHARE * size), THIN_REPEATS * len(phrases) if len(found) < 12000 else size)))
    total = epochs * (sum(n + m for n, m in sizes) // 1024 + 1)
    done = 0
    for epoch in range(epochs):
        order = np.concatenate([drawn for (_, found, phrases), (n, m) in zip(groups, sizes)
                                for drawn in (rng.choice(found, n, replace=len(found) < n), rng.choice(phrases, m))])
        rng.shuffle(order)
        losses = []
        for start in range(0, len(order), 1024):
            batch = order[start:start + 1024]
            rate = 0.01 * (1 - done / total) + 1e-5
            losses.append(model.step(x[batch], y[batch], masks[batch], rate))
            done += 1
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}", flush=True)
    return model


def quantized(values, scale):
    """Printable characters '#'..'~' but '?' (it makes trigraphs) and the backslash: 80 is zero."""
    q = np.clip(np.rint(values / scale), -45, 46).astype(int)
    q[q == ord("\\") - 80] -= 1
    q[q == ord("?") - 80] += 1
    return q


def literal(q):
    text = "".join(chr(80 + v) for v in q.ravel())
    return "\n".join(f'    "{text[i:i + 96]}"' for i in range(0, len(text), 96))


def write(path, model, classes, temperature):
    table_scale = np.percentile(np.abs(model.table), 99.9) / 45
    out_scale = np.abs(model.out).max() / 45
    table, out = quantized(model.table, table_scale), quantized(model.out, out_scale)
    unit = table_scale * out_scale / temperature
    with open(path, "w", encoding="ascii") as file:
        file.write("// Written by training/language/train.py; do not edit. A character c stands for the weight c - 'P'.\n")
        file.write(f"inline constexpr std::size_t kWidth = {WIDTH};\n")
        file.write(f"inline constexpr float kUnit = {unit:.9g}F;\n")
        file.write("inline constexpr Class kClasses[] = {\n")
        for (script, language), bias in zip(classes, model.bias / temperature):
            file.write(f'    {{Script::{SCRIPTS[script]}, "{language}", {bias:.4f}F}},\n')
        file.write(f"}};\ninline constexpr char kOut[] =\n{literal(out)};\n")
        file.write(f"inline constexpr char kTable[] =\n{literal(table)};\n")
    return table * table_scale, out * out_scale


def accuracy(model, x, y, masks, names):
    right, report = 0, {}
    guess = model.logits(x, masks).argmax(1)
    for c in np.unique(y):
        report[names[c]] = float((guess[y == c] == c).mean())
    return float((guess == y).mean()), report


def best_temperature(model, x, y, masks):
    scores = model.logits(x, masks)
    def loss(t):
        z = scores / t
        z = z - z.max(1, keepdims=True)
        return -(z[np.arange(len(y)), y] - np.log(np.exp(z).sum(1))).mean()
    return min(np.arange(0.2, 2.01, 0.02), key=loss)


def main():
    data, out = sys.argv[1:3]
    epochs = int(sys.argv[3]) if len(sys.argv) > 3 else 12
    rows = training_rows(data)
    valid = [(l, unicodedata.normalize("NFC", t)) for l, t in corpus.massive(data, "valid")]
    scripts, x = features([t for _, t, _ in rows])
    valid_scripts, valid_x = features([t for _, t in valid])
    counts = {}
    for (language, _, _), script in zip(rows, scripts):
        counts[script, language] = counts.get((script, language), 0) + 1
    main_script = {}
    for (script, language), n in counts.items():
        if n > 150 and script in SCRIPTS:
            main_script.setdefault(language, []).append((n, script))
    classes = sorted((s, l) for l, found in main_script.items() for n, s in found
                     if n >= 0.2 * max(found)[0])
    classes = [(s, l) for s, l in classes if max(main_script[l])[0] >= 0.2 * max(counts.get((k, l), 0) for k in range(27))]
    index = {c: i for i, c in enumerate(classes)}
    by_script = {s: np.array([c[0] == s for c in classes]) for s in SCRIPTS}

    def usable(rows, scripts):
        keep = [i for i, (row, s) in enumerate(zip(rows, scripts)) if (s, row[0]) in index]
        return np.array(keep), np.array([index[scripts[i], rows[i][0]] for i in keep]), \
            np.array([by_script[scripts[i]] for i in keep])

    keep, y, masks = usable(rows, scripts)
    x = x[keep].tocsr()
    valid_keep, valid_y, valid_masks = usable(valid, valid_scripts)
    valid_x = valid_x[valid_keep].tocsr()
    everyday = np.array([rows[i][2] for i in keep])
    groups = [(l, np.flatnonzero((y == i) & ~everyday), np.flatnonzero((y == i) & everyday))
              for i, (s, l) in enumerate(classes)]
    print(len(rows), "rows,", len(classes), "classes:", " ".join(f"{l}:{len(g)}" for l, g, _ in groups))
    model = train(x, y, masks, groups, np.random.default_rng(7), epochs)
    names = [f"{l}" for s, l in classes]
    before, _ = accuracy(model, valid_x, valid_y, valid_masks, names)
    temperature = best_temperature(model, valid_x, valid_y, valid_masks)
    model.table, model.out = (a.astype(np.float32) for a in write(out, model, classes, temperature))
    after, report = accuracy(model, valid_x, valid_y, valid_masks, names)
    print(f"valid {before:.4f}, rounded {after:.4f}, temperature {temperature:.2f}")
    print(" ".join(f"{l}:{a:.3f}" for l, a in report.items()))


if __name__ == "__main__":
    main()
