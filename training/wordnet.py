"""Reads WordNet 3.0 database files: lemmas with their tagged counts, glosses and examples."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

_POS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_QUOTED = re.compile(r'"([^"]+)"')


def lemma_counts(folder: Path) -> list[tuple[str, str, int]]:
    """(part of speech, lemma, how often its senses were tagged in running text)."""
    by_number = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
    tagged: Counter[tuple[str, str]] = Counter()
    for line in (folder / "cntlist.rev").read_text("latin-1").splitlines():
        key, _, count = line.split(" ")
        lemma, sense = key.split("%")
        tagged[by_number[sense[0]], lemma] += int(count)
    found = []
    for name, pos in _POS.items():
        for line in (folder / f"index.{name}").read_text("latin-1").splitlines():
            if not line.startswith(" "):
                lemma = line.split(" ", 1)[0]
                found.append((pos, lemma.replace("_", " "), tagged[pos, lemma]))
    return found


def sentences(folder: Path) -> list[str]:
    """Definitions, definitions after their lemma, and example sentences."""
    found: list[str] = []
    for name in _POS:
        for line in (folder / f"data.{name}").read_text("latin-1").splitlines():
            if line.startswith(" ") or " | " not in line:
                continue
            head, gloss = line.split(" | ", 1)
            lemma = re.sub(r"\(\w+\)$", "", head.split(" ")[4]).replace("_", " ")
            definition = gloss.split('"')[0].strip(" ;:")
            if definition:
                found += [definition, f"{lemma}: {definition.split(';')[0]}"]
            found += [example.strip() for example in _QUOTED.findall(gloss)]
    return found
