"""Assembles models/generic_oos.tsv: short text that is out of scope for nearly every assistant.

    python training/generic_oos/make.py ../shared/data models/generic_oos.tsv

Only sets whose licence lets their rows ship are read (see models/generic_oos.md). Rows of all sources are
interleaved, so that the first N rows are a fair sample of the whole.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

MOST_CHARACTERS = 90
FEWEST_CHARACTERS = 8


def tsv(path: Path, column: int = 0, only: tuple[int, str] | None = None) -> Iterator[str]:
    for line in path.open(encoding="utf-8"):
        cells = line.rstrip("\n").split("\t")
        if only is None or (len(cells) > only[0] and cells[only[0]] == only[1]):
            yield cells[column]


def jsonl(path: Path, key: str) -> Iterator[str]:
    for line in path.open(encoding="utf-8"):
        yield json.loads(line)[key]


def sources(data: Path) -> list[tuple[Iterator[str], int]]:
    """Every source with the number of rows taken from it."""
    chatterbot = data / "chitchat/chatterbot/all.tsv"
    massive = data / "intent/massive"
    return [
        (jsonl(data / "decompose/strategyqa/train.jsonl", "question"), 350),
        (tsv(data / "followup/disfl_qa/train.tsv", 1), 250),
        (jsonl(data / "clarity/mimics_manual.jsonl", "query"), 250),
        (tsv(data / "tools/metatool/single.tsv"), 350),
        (jsonl(data / "sql/spider/train.jsonl", "question"), 150),
        (tsv(data / "routing/kb_exemplars.tsv"), 150),
        (tsv(data / "intent/clinc150/oos_train.tsv"), 100),
        (tsv(massive / "en-US.train.tsv"), 150),
        (tsv(massive / "es-ES.train.tsv"), 120),
        (tsv(massive / "pt-PT.train.tsv"), 200),
        (tsv(massive / "zh-CN.train.tsv"), 120),
        (tsv(massive / "de-DE.train.tsv"), 60),
        (tsv(massive / "fr-FR.train.tsv"), 60),
        (tsv(data / "text/tatoeba_en_es.tsv", 0), 200),
        (tsv(data / "text/tatoeba_en_es.tsv", 1), 150),
        (tsv(data / "text/tatoeba_en_zh.tsv", 1), 150),
        (tsv(data / "text/tatoeba_en_de.tsv", 1), 80),
        (tsv(data / "text/tatoeba_en_fr.tsv", 1), 80),
        (tsv(chatterbot, 0, (2, "portuguese")), 100),
        (tsv(chatterbot, 0, (2, "english")), 80),
        (tsv(chatterbot, 0, (2, "spanish")), 40),
        (tsv(chatterbot, 0, (2, "chinese")), 40),
    ]


def main(data: Path, out: Path) -> None:
    draw = random.Random(7)
    rows: list[tuple[float, str]] = []
    seen: set[str] = set()
    for texts, wanted in sources(data):
        fit = sorted({" ".join(t.split()) for t in texts} - seen)
        fit = [t for t in fit if FEWEST_CHARACTERS <= len(t.encode()) and len(t) <= MOST_CHARACTERS]
        chosen = draw.sample(fit, min(wanted, len(fit)))
        seen.update(chosen)
        rows += [((n + draw.random()) / len(chosen), text) for n, text in enumerate(chosen)]
    rows.sort()
    head = "# Text that belongs to no route of an ordinary assistant. Sources and licences: generic_oos.md\n"
    out.write_text(head + "".join(f"{text}\toos\n" for _, text in rows), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
