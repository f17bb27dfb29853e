"""Gathers the text the shipped encoder may learn from into compressed tables.

    python prepare.py --data ../../shared/data --wordnet /usr/share/wordnet --out .carry

english.tsv.xz  group, text                       text whose target is the teacher's own vector
pairs.tsv.xz    language, line in english, text   other languages, trained towards the English row
labels.tsv.xz   head, language, labels (|), text  rows of the supervised stage
lemmas.tsv.xz   part of speech, lemma, count      vocabulary for made-up queries
judge.tsv.xz    set, part, label, text            train and valid rows to judge by; the valid ones are never learnt
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import zlib
from collections.abc import Iterator
from pathlib import Path

import wordnet

MAX_CHARS = 260


def rows(path: Path) -> Iterator[list[str]]:
    for line in path.read_text("utf-8-sig").splitlines():
        if line.strip():
            yield line.split("\t")


def objects(path: Path) -> Iterator[dict]:
    for line in path.read_text("utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def kept_for_measuring(text: str) -> bool:
    """One row in ten of the sets that come without a split."""
    return zlib.crc32(text.encode()) % 10 == 0


def is_near(language: str) -> bool:
    """The six languages, traditional Chinese and the English disfluencies."""
    return language.startswith("tatoeba") or language in ("es", "pt", "zh", "de", "fr", "tw", "xx")


class Tables:
    def __init__(self) -> None:
        self.english: dict[str, tuple[int, str]] = {}
        self.pairs: set[tuple[str, int, str]] = set()
        self.labels: list[tuple[str, str, str, str]] = []

    def add_english(self, group: str, text: str) -> int:
        text = " ".join(text.split())
        if not 0 < len(text) <= MAX_CHARS:
            return -1
        return self.english.setdefault(text, (len(self.english), group))[0]

    def add_pair(self, language: str, text: str, english: str, group: str) -> None:
        line = self.add_english(group, english)
        text = " ".join(text.split())
        if line >= 0 and 0 < len(text) <= MAX_CHARS:
            self.pairs.add((language, line, text))

    def add_label(self, head: str, language: str, labels: str, text: str) -> None:
        text = " ".join(text.split())
        if 0 < len(text) <= MAX_CHARS:
            self.labels.append((head, language, labels, text))


def add_intents(tables: Tables, data: Path) -> None:
    for name in ("clinc150", "banking77", "snips"):
        for text, label in rows(data / "intent" / name / "train.tsv"):
            tables.add_english(name, text)
            tables.add_label(name, "en", label, text)
    for text, _ in rows(data / "intent/clinc150/oos_train.tsv"):
        tables.add_english("clinc150", text)
    for text, intent, _, language in rows(data / "intent/home_assistant/all.tsv"):
        if language == "en":
            tables.add_english("home_assistant", text)
        tables.add_label("home_assistant", language[:2], intent, text)
    for text, intent, locale in rows(data / "intent/ms_va_intents/all.tsv"):
        if locale == "en-us":
            tables.add_english("ms_va_intents", text)
        tables.add_label("ms_va_intents", locale[:2], intent, text)
    for text, pair, _ in rows(data / "multi_intent/clinc_pairs/train.tsv"):
        tables.add_english("clinc_pairs", text)
        tables.add_label("clinc150", "en", pair.replace("#", "|"), text)
    for name in ("banking", "hotels"):
        for row in objects(data / f"multi_intent/nlupp/{name}.jsonl"):
            if row["fold"] != 0:
                tables.add_english("nlupp", row["text"])
                if row["intents"]:
                    tables.add_label("nlupp", "en", "|".join(row["intents"]), row["text"])


def add_massive(tables: Tables, data: Path) -> None:
    folder = data / "intent/massive"
    english = {row[3]: row[0] for row in rows(folder / "en-US.train.tsv")}
    for path in sorted(folder.glob("*.train.tsv")):
        locale = path.name.split(".")[0]
        language = "tw" if locale == "zh-TW" else locale[:2]
        for text, intent, _, row_id in rows(path):
            if row_id not in english:
                continue
            if language == "en":
                tables.add_english("massive", text)
                tables.add_label("massive", "en", intent, text)
            else:  # the label is that of the English row
                tables.add_pair(language, text, english[row_id], "massive")


def add_chitchat(tables: Tables, data: Path) -> None:
    for path in sorted((data / "chitchat/ms_chitchat").glob("*.tsv")):
        language = path.name[:2]
        for text, group, reply in rows(path):
            if language == "en":
                tables.add_english("chitchat", text)
                tables.add_english("chitchat", reply)
            tables.add_label(f"chitchat_{language}", language, group, text)
    for text, _, language, *_ in rows(data / "chitchat/chatterbot/all.tsv"):
        if language == "english":
            tables.add_english("chitchat", text)


def add_questions(tables: Tables, data: Path) -> None:
    for row in objects(data / "followup/gecor/all.jsonl"):
        tables.add_english("dialogue", row["question"])
        tables.add_english("dialogue", row["rewrite"])
        for turn in row["history"]:
            tables.add_english("dialogue", turn["a"])
    for first, follow, complete, _ in rows(data / "followup/tables/train.tsv"):
        for text in (first, follow, complete):
            tables.add_english("questions", text)
    for spoken, clean, _ in rows(data / "followup/disfl_qa/train.tsv"):
        tables.add_pair("xx", spoken, clean, "questions")
    for row in objects(data / "clarity/mimics_manual.jsonl"):
        for key, text in row.items():
            if key in ("query", "question") or key.startswith("option_") and "label" not in key:
                tables.add_english("queries", text)
    for text, *_ in rows(data / "clarity/qulac_topics.tsv"):
        tables.add_english("queries", text)
    for row in objects(data / "decompose/strategyqa/train.jsonl"):
        for text in (row["question"], *row["facts"], *row["decomposition"]):
            tables.add_english("questions", text)
    for row in objects(data / "sql/spider/train.jsonl"):
        tables.add_english("sql", row["question"])
        tables.add_english("sql", row["syn_question"])
        tables.add_label("spider", "en", row["db_id"], row["question"])


def add_tools(tables: Tables, data: Path) -> None:
    for text, tool in rows(data / "tools/metatool/single.tsv"):
        if not kept_for_measuring(text):
            tables.add_english("metatool", text)
            tables.add_label("metatool", "en", tool, text)
    for row in objects(data / "tools/metatool/multi.jsonl"):
        tables.add_english("metatool", row["query"])
    for name in ("plugin_des", "big_tool_des"):
        for tool, text in json.loads((data / f"tools/metatool/{name}.json").read_text()).items():
            tables.add_english("metatool", text)
    for row in objects(data / "tools/seal_tools/tools.jsonl"):
        tables.add_english("tools", row["api_description"])
        tables.add_english("tools", row["field"].replace("/", " "))
        for parameter in row["parameters"].values():
            tables.add_english("tools", parameter.get("description", ""))
    for name in ("eval_real", "eval_simulated"):
        for row in objects(data / f"tools/toolalpaca/{name}.jsonl"):
            for text in (row["Description"], *row["Instructions"], *row["Function_Description"].values()):
                tables.add_english("tools", text)


def add_web(tables: Tables, data: Path) -> None:
    """Real questions and web queries: text for the teacher to place, nothing else of them is used."""
    for text, source in rows(data / "text/queries.tsv"):
        if source.split("-")[0] in ("mrtydi", "miracl") and not source.endswith("-en"):
            continue
        if sum(c.isascii() for c in text) * 10 >= len(text) * 9:
            tables.add_english("web", text.replace('"""', '"').replace('""', '"').strip('"'))


def add_tatoeba(tables: Tables, data: Path) -> None:
    for language in ("de", "es", "fr", "zh"):
        for english, text in rows(data / f"text/tatoeba_en_{language}.tsv"):
            tables.add_pair(f"tatoeba_{language}", text, english, "tatoeba")


def judged(data: Path) -> Iterator[str]:
    def lines(name: str, part: str, found: Iterator[list[str]]) -> Iterator[str]:
        return (f"{name}\t{part}\t{row[1]}\t{' '.join(row[0].split())}\n" for row in found)

    for part in ("train", "valid"):
        for name in ("banking77", "clinc150", "snips"):
            yield from lines(name, part, rows(data / f"intent/{name}/{part}.tsv"))
        for locale in ("en-US", "es-ES", "pt-PT", "zh-CN"):
            yield from lines(f"massive {locale[:2]}", part, rows(data / f"intent/massive/{locale}.{part}.tsv"))
        tools = rows(data / "tools/metatool/single.tsv")
        yield from lines("metatool", part, (r for r in tools if kept_for_measuring(r[0]) == (part == "valid")))
        subjects = list(rows(data / "routing/kb_exemplars.tsv"))
        random.Random(3).shuffle(subjects)
        half = len(subjects) // 2
        yield from lines("subjects", part, iter(subjects[:half] if part == "train" else subjects[half:]))


def write(path: Path, lines: Iterator[str]) -> None:
    with lzma.open(path, "wt", encoding="utf-8", preset=6) as f:
        f.writelines(lines)
    print(path.name, path.stat().st_size, "bytes")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--wordnet", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path(".carry"))
    parser.add_argument("--other-locales", type=int, default=10, help="rows in ten kept of the locales outside the six")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    tables = Tables()
    for add in (add_intents, add_massive, add_chitchat, add_questions, add_tools, add_web, add_tatoeba):
        add(tables, args.data)
    for text in wordnet.sentences(args.wordnet):
        tables.add_english("wordnet", text)
    write(args.out / "english.tsv.xz", (f"{group}\t{text}\n" for text, (_, group) in tables.english.items()))
    pairs = [p for p in sorted(tables.pairs, key=lambda p: (p[1], p[0]))
             if is_near(p[0]) or zlib.crc32(p[2].encode()) % 10 < args.other_locales]
    write(args.out / "pairs.tsv.xz", ("\t".join(map(str, pair)) + "\n" for pair in pairs))
    write(args.out / "labels.tsv.xz", ("\t".join(label) + "\n" for label in tables.labels))
    write(args.out / "lemmas.tsv.xz",
          (f"{pos}\t{lemma}\t{count}\n" for pos, lemma, count in wordnet.lemma_counts(args.wordnet)))
    write(args.out / "judge.tsv.xz", judged(args.data))
    print(len(tables.english), "English texts,", len(tables.pairs), "pairs,", len(tables.labels), "labelled rows")


if __name__ == "__main__":
    main()
