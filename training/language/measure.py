#!/usr/bin/env python3
"""Measures the program's language identification beside CLD2 and fastText's lid.176: measure.py DATA

Accuracy in per cent on MASSIVE's valid files (commands, as the table was trained on) and on texts of other
kinds that no row of the table's training came from. Needs pycld2 and fasttext-wheel (numpy < 2).
"""
import itertools
import os
import subprocess
import sys
import tempfile
import time

import fasttext
import pycld2

import corpus

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SAME = {"no": "nb", "nn": "nb", "sh": "sr", "iw": "he", "jw": "jv", "in": "id", "fil": "tl", "bs": "hr"}


def rows_of(data):
    for language, text in corpus.massive(data, "valid"):
        yield "massive valid", language, text
    for language, text in corpus.home_assistant(data, held_out=True):
        yield "home commands", language, text
    for language, text in corpus.chatterbot(data, held_out=True):
        yield "small talk", language, text
    for language in ("de", "en", "es", "fr", "pt", "zh"):
        for row in itertools.islice(corpus.lines(f"{data}/text/techdocs_{language}.txt"), 0, 40000, 20):
            yield "technical prose", language, row[0]
    for row in itertools.islice(corpus.lines(f"{data}/text/novels_pt.txt"), 0, 40000, 20):
        yield "novels", "pt", row[0]
    for row in itertools.islice(corpus.lines(f"{data}/text/queries.tsv"), 0, None, 5):
        if row[1].startswith(("miracl-", "mrtydi-")):
            yield "questions", row[1].split("-")[1], row[0]
        elif row[1].startswith(("msmarco", "quora", "webq")):
            yield "web queries", "en", row[0]


def ours(texts, hints=()):
    with tempfile.TemporaryDirectory() as folder:
        tool = f"{folder}/identify"
        sources = [f"{ROOT}/training/language/identify.cpp"] + \
            [f"{ROOT}/src/{name}.cpp" for name in ("normalize/language", "normalize/language_features", "base/utf8")]
        subprocess.run(["c++", "-std=c++20", "-O2", f"-I{ROOT}/src", *sources, "-o", tool], check=True)
        out = subprocess.run([tool, *hints], input="\n".join(texts).encode(), stdout=subprocess.PIPE, check=True).stdout
    return [line.split("\t")[0] for line in out.decode().splitlines()]


def cld2(texts):
    found = []
    for text in texts:
        try:
            best = pycld2.detect(text, bestEffort=True)[2][0][1]
        except pycld2.error:
            best = "un"
        found.append(best)
    return found


def lid(texts, data):
    fasttext.FastText.eprint = lambda _: None
    model = fasttext.load_model(f"{data}/models/lid.176.ftz")
    labels, _ = model.predict(texts, k=1)
    return [label[0].removeprefix("__label__") for label in labels]


def without_accents(rows):
    return [corpus.without_accents(text) for _, _, text in rows]


def main():
    data = sys.argv[1]
    rows = [r for r in rows_of(data) if r[2].strip()]
    texts = [text for _, _, text in rows]
    answers = {}
    for name, run in (("ours", lambda: ours(texts)), ("ours, hints en es pt zh", lambda: ours(texts, ("en", "es", "pt", "zh"))),
                      ("ours, no accents", lambda: ours(without_accents(rows))), ("CLD2", lambda: cld2(texts)),
                      ("lid.176", lambda: lid(texts, data)), ("lid.176, no accents", lambda: lid(without_accents(rows), data))):
        start = time.time()
        answers[name] = [SAME.get(a.split("-")[0], a.split("-")[0]) for a in run()]
        print(f"{name}: {(time.time() - start) / len(rows) * 1e6:.1f} us a text, start of the tool included", file=sys.stderr)
    table = {}
    for i, (kind, language, _) in enumerate(rows):
        for key in ((kind, language), (kind, "all")):
            cell = table.setdefault(key, [0] * (len(answers) + 1))
            cell[0] += 1
            for j, found in enumerate(answers.values(), 1):
                cell[j] += found[i] == language
    print("| texts | language | rows |", " | ".join(answers), "|")
    print("|---" * (len(answers) + 3) + "|")
    for (kind, language), cell in sorted(table.items()):
        print(f"| {kind} | {language} | {cell[0]} |", " | ".join(f"{100 * c / cell[0]:.1f}" for c in cell[1:]), "|")


if __name__ == "__main__":
    main()
