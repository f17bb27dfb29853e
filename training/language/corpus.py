"""The rows the table is trained and measured on: (language, text), from sets whose licence lets them ship."""
import glob
import json
import os
import random
import unicodedata

# Sets that went into the table, with their licences, are named in README.md.
SKIPPED = {"de-CH", "kw", "ga", "lb", "et"}  # too few rows to learn from, or no language code of their own
HELD_OUT = 5  # of every so many rows of Home Assistant and small talk one is kept for measure.py

CHATTERBOT = {"english": "en", "persian": "fa", "japanese": "ja", "italian": "it", "chinese": "zh",
              "ukrainian": "uk", "korean": "ko", "dutch": "nl", "portuguese": "pt", "spanish": "es",
              "indonesian": "id", "german": "de", "turkish": "tr", "french": "fr", "swedish": "sv",
              "russian": "ru"}


def lines(path):
    with open(path, encoding="utf-8-sig") as file:
        for line in file:
            yield line.rstrip("\n").split("\t")


def massive(data, split="train"):
    for path in sorted(glob.glob(f"{data}/intent/massive/*.{split}.tsv")):
        language = os.path.basename(path)[:2]
        for row in lines(path):
            yield language, row[0]


def part_of(rows, held_out):
    return (row for i, row in enumerate(rows) if (i % HELD_OUT == 0) == held_out)


def home_assistant(data, held_out=False):
    for row in part_of(lines(f"{data}/intent/home_assistant/all.tsv"), held_out):
        if row[3] not in SKIPPED:
            yield row[3].split("-")[0], row[0]


def chatterbot(data, held_out=False):
    for row in part_of(lines(f"{data}/chitchat/chatterbot/all.tsv"), held_out):
        if row[2] in CHATTERBOT:
            yield CHATTERBOT[row[2]], row[0]
            if not held_out:
                yield CHATTERBOT[row[2]], row[3]


def chitchat(data):
    for path in sorted(glob.glob(f"{data}/chitchat/ms_chitchat/*.tsv")):
        for row in lines(path):
            yield os.path.basename(path)[:2], row[0]


def tatoeba(data):
    for other in ("de", "es", "fr"):
        for row in lines(f"{data}/text/tatoeba_en_{other}.tsv"):
            yield "en", row[0]
            yield other, row[1]


def english(data):
    for name in ("intent/clinc150/train.tsv", "intent/banking77/train.tsv", "intent/snips/train.tsv",
                 "tools/metatool/single.tsv"):
        for row in lines(f"{data}/{name}"):
            yield "en", row[0]
    for name, field in (("clarity/mimics_manual.jsonl", "query"), ("decompose/strategyqa/train.jsonl", "question"),
                        ("sql/spider/train.jsonl", "question")):
        for row in lines(f"{data}/{name}"):
            yield "en", json.loads("\t".join(row))[field]


def seeds(_data):
    with open(os.path.join(os.path.dirname(__file__), "seeds.tsv"), encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                language, phrases = line.rstrip("\n").split("\t")
                for phrase in phrases.split("|"):
                    yield language, phrase


def without_accents(text):
    """As typed on a keyboard without accents. Other scripts keep theirs: there a mark is another letter."""
    if not any("a" <= c <= "z" for c in text.lower()):
        return text
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def variants(text, rng: random.Random):
    """The text itself, a short piece of it, and one of the two as typed without accents."""
    words = text.split()
    piece = text
    if len(words) > 2:
        length = rng.randint(1, min(5, len(words) - 1))
        start = rng.randint(0, len(words) - length)
        piece = " ".join(words[start:start + length])
    yield text
    if piece != text:
        yield piece
    bare = without_accents(rng.choice((text, piece)))
    if bare not in (text, piece):
        yield bare
