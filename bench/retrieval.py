#!/usr/bin/env python3
"""How well `signalbox search` finds, beside SQLite's FTS5 on the same documents in the same run.

  bench/retrieval.py [--binary build/release/signalbox] [--data ../shared/data] [--encoder onnx:DIR]
                     [--sets cranfield,cacm,...] [--work DIR] [--queries 1000]

Sets with judgements: cranfield and cacm (nDCG@10). Sets made here, one right document a query:
  X-claims  the title of an abstract asks for the abstract, which has lost its title (nDCG@10)
  facts     a question of StrategyQA asks for the facts that answer it (nDCG@10)
  tools     a wish asks for the descriptions of the tools it needs (nDCG@10)
  para-L    four sentences of technical prose are a paragraph; a question is an opener and two fifths
            of the words of one sentence (pieces of its clauses in Chinese): recall@5
The made questions repeat words as they are written, which flatters every search by words; they show
whether one ranking is behind another, not how people ask.

The baseline is FTS5 with the porter tokenizer, an OR of the question's words; Chinese is given to it
as pairs of characters. Exit code 1 when hybrid is behind words, vector or FTS5 by more than --slack.
"""
import argparse
import collections
import json
import math
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile

OPENERS = {
    "en": ["what is", "how does", "why does", "which", "when is", "where does", "who", "what happens when"],
    "es": ["qué es", "cómo se", "por qué", "cuál es", "cuándo se", "dónde está", "quién", "para qué sirve"],
    "fr": ["qu'est-ce que", "comment", "pourquoi", "quel est", "quand", "où est", "qui", "à quoi sert"],
    "pt": ["o que é", "como se", "por que", "qual é", "quando se", "onde está", "quem", "para que serve"],
    "zh": ["什么是", "如何", "为什么", "哪些", "什么时候", "在哪里", "谁", "怎么"],
}


def ndcg(files, judged, depth=10):
    files = list(dict.fromkeys(files))[:depth]
    gain = sum(judged.get(f, 0) / math.log2(i + 2) for i, f in enumerate(files))
    best = sum(g / math.log2(i + 2) for i, g in enumerate(sorted(judged.values(), reverse=True)[:depth]))
    return gain / best


def recall(files, judged, depth=5):
    return float(any(f in judged for f in list(dict.fromkeys(files))[:depth]))


class Set:
    """Documents by name, questions with what is right for them, and what is measured."""

    def __init__(self, name, language, documents, questions, measure):
        self.name, self.language, self.measure = name, language, measure
        self.documents, self.questions = documents, questions


def judged(data, name):
    folder = os.path.join(data, "retrieval", name)
    rows = [json.loads(line) for line in open(os.path.join(folder, "corpus.jsonl"), encoding="utf8")]
    asked = [json.loads(line) for line in open(os.path.join(folder, "queries_test.jsonl"), encoding="utf8")]
    right = collections.defaultdict(dict)
    for line in open(os.path.join(folder, "qrels_test.tsv"), encoding="utf8").read().split("\n")[1:]:
        if line and int(line.split("\t")[2]) > 0:
            query, document, gain = line.split("\t")
            right[query][document] = int(gain)
    return rows, [(q["text"], right[q["_id"]]) for q in asked if right[q["_id"]]]


def parts(row):
    title, text = row.get("title", "").strip(), row["text"].strip()
    return title, text[len(title):].lstrip(" .\n") if text.startswith(title) else text


def abstracts(data, name, queries):
    rows, questions = judged(data, name)
    documents = {row["_id"]: "\n".join(p for p in parts(row) if p) for row in rows}
    return Set(name, "en", documents, questions, ndcg)


def claims(data, name, queries):
    rows, _ = judged(data, name)
    pairs = {row["_id"]: parts(row) for row in rows}
    pairs = {key: pair for key, pair in pairs.items() if len(pair[1]) > 200 and len(pair[0].split()) > 3}
    chosen = random.Random(7).sample(sorted(pairs), min(queries, len(pairs)))
    return Set(name + "-claims", "en", {key: text for key, (_, text) in pairs.items()},
               [(pairs[key][0], {key: 1}) for key in chosen], ndcg)


def facts(data, queries):
    rows = [json.loads(line) for line in open(os.path.join(data, "decompose/strategyqa/train.jsonl"), encoding="utf8")]
    documents = {row["qid"]: " ".join(row["facts"]) for row in rows if row["facts"]}
    asked = random.Random(7).sample([r for r in rows if r["qid"] in documents], min(queries, len(documents)))
    return Set("facts", "en", documents, [(row["question"], {row["qid"]: 1}) for row in asked], ndcg)


def tools(data, queries):
    folder = os.path.join(data, "tools/seal_tools")
    rows = [json.loads(line) for line in open(os.path.join(folder, "tools.jsonl"), encoding="utf8")]
    documents = {row["api_name"]: " ".join([row["api_name"], row["api_description"], row["field"]] + [
        parameter["description"] for parameter in row["parameters"].values()]) for row in rows}
    asked = [json.loads(line) for line in open(os.path.join(folder, "valid.jsonl"), encoding="utf8")]
    questions = [(a["query"], {c["api"]: 1 for c in a["calling"] if c["api"] in documents}) for a in asked]
    return Set("tools", "en", documents, [q for q in questions if q[1]][:queries], ndcg)


def question(sentence, language, rnd):
    opener = rnd.choice(OPENERS[language])
    if language == "zh":
        pieces = [p for p in re.split(r"[，。、；：（）\s,.()/]+", sentence) if len(p) >= 2]
        kept = sorted(rnd.sample(range(len(pieces)), max(1, round(len(pieces) / 2))))
        return opener + " ".join(pieces[i][:max(2, len(pieces[i]) * 6 // 10)] for i in kept)
    words = re.findall(r"\w+", sentence)
    kept = sorted(rnd.sample(range(len(words)), max(2, len(words) * 2 // 5)))
    return opener + " " + " ".join(words[i] for i in kept)


def paragraphs(data, language, queries):
    rnd = random.Random(7)
    lines = [line.strip() for line in open(os.path.join(data, "text", f"techdocs_{language}.txt"), encoding="utf8")]
    lines = [line for line in dict.fromkeys(lines) if len(line) > (20 if language == "zh" else 60)][:12000]
    groups = [lines[i:i + 4] for i in range(0, len(lines) - 3, 4)]
    chosen = rnd.sample(range(len(groups)), min(queries, len(groups)))
    questions = [(question(rnd.choice(groups[i]), language, rnd), {str(i): 1}) for i in chosen]
    return Set("para-" + language, language, {str(i): " ".join(g) for i, g in enumerate(groups)}, questions, recall)


SETS = {
    "cranfield": lambda d, q: abstracts(d, "cranfield", q),
    "cacm": lambda d, q: abstracts(d, "cacm", q),
    "cranfield-claims": lambda d, q: claims(d, "cranfield", q),
    "cacm-claims": lambda d, q: claims(d, "cacm", q),
    "facts": facts,
    "tools": tools,
    **{"para-" + l: lambda d, q, l=l: paragraphs(d, l, q) for l in ("en", "zh", "es", "pt", "fr")},
}


def plain_words(text, language):
    if language != "zh":
        return re.findall(r"\w+", text.lower())
    out = []
    for run in re.findall(r"[\u4e00-\u9fff]+|[^\W\u4e00-\u9fff]+", text):
        pairs = [run[i:i + 2] for i in range(max(1, len(run) - 1))]
        out += pairs if "\u4e00" <= run[0] <= "\u9fff" else [run.lower()]
    return out


def fts5(one, depth=10):
    tokenizer = "unicode61" if one.language == "zh" else "porter unicode61"
    db = sqlite3.connect(":memory:")
    db.execute(f"CREATE VIRTUAL TABLE d USING fts5(name UNINDEXED, body, tokenize='{tokenizer}')")
    for name, text in one.documents.items():
        body = " ".join(plain_words(text, "zh")) if one.language == "zh" else text
        db.execute("INSERT INTO d VALUES (?, ?)", (name, body))
    lists = []
    for text, _ in one.questions:
        match = " OR ".join(f'"{word}"' for word in plain_words(text, one.language))
        rows = db.execute("SELECT name FROM d WHERE d MATCH ? ORDER BY bm25(d) LIMIT ?", (match, depth))
        lists.append([row[0] for row in rows])
    return lists


def prepare(one, options):
    root = os.path.join(options.work, one.name)
    if not os.path.isdir(root):
        os.makedirs(root)
        for name, text in one.documents.items():
            with open(os.path.join(root, name + ".txt"), "w", encoding="utf8") as file:
                file.write(text + "\n")
    index = root + ".index"
    command = [options.binary, "index", root, "--out", index, "--json"]
    subprocess.run(command + (["--encoder", options.encoder] if options.encoder else []), check=True,
                   stdout=subprocess.DEVNULL)
    return index


def search(one, index, mode, options, depth=10):
    text = "".join(json.dumps({"query": question}) + "\n" for question, _ in one.questions)
    done = subprocess.run([options.binary, "search", "--index", index, "--mode", mode, "--batch", "-k", str(depth)],
                          input=text, text=True, capture_output=True, check=True)
    lines = done.stdout.strip().split("\n")
    assert len(lines) == len(one.questions), done.stderr
    return [[os.path.splitext(match["file"])[0] for match in json.loads(line)["matches"]] for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/signalbox")
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--encoder")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "signalbox-retrieval"))
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--slack", type=float, default=0.0)
    options = parser.parse_args()
    modes = ["words", "vector", "hybrid"]
    print(f"{'set':<18}{'documents':>10}{'queries':>9}{'fts5':>8}" + "".join(f"{m:>8}" for m in modes))
    is_behind = False
    for name in options.sets.split(","):
        one = SETS[name](options.data, options.queries)
        index = prepare(one, options)
        lists = [fts5(one)] + [search(one, index, mode, options) for mode in modes]
        scores = [sum(map(one.measure, found, (right for _, right in one.questions))) / len(found) for found in lists]
        is_behind |= scores[3] < max(scores[:3]) - options.slack
        print(f"{name:<18}{len(one.documents):>10}{len(one.questions):>9}"
              + "".join(f"{s:>8.4f}" for s in scores), flush=True)
    return 1 if is_behind else 0


if __name__ == "__main__":
    sys.exit(main())
