#!/usr/bin/env python3
"""Execution accuracy of `signalbox sql`: its rows against the rows of reference statements.

  bench/sql_accuracy.py PROGRAM --defog FOLDER [--only db,db] [--not db,db] [--all] [--show wrong,refused]
  bench/sql_accuracy.py PROGRAM --questions FILE.tsv --db FILE      question, tab, reference SQL

An answer is right when every column of a reference stands among its columns with the same rows, in any order; a
question with several references (parted by `;`) needs one of them. Without --all only simple questions count: one
SELECT, no window, ratio, CASE or arithmetic between dates in the reference. Prints right, wrong and refused, in all and
by database; the exit status is 1 when less than half are right or more than a tenth wrong.
"""
import argparse, collections, itertools, json, os, re, sqlite3, subprocess, sys


def plain(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (int, float)):
        return f"{float(value):.4f}"
    return str(value)


def is_subset(reference, columns, rows):
    """Whether the reference's columns are found among ours, row by row."""
    if len(reference) != len(rows):
        return False
    if not reference:
        return True
    ours = list(zip(*rows))
    theirs = list(zip(*reference))
    wanted = [sorted(column) for column in theirs]
    found = [[i for i, column in enumerate(ours) if sorted(column) == want] for want in wanted]
    if not all(found):
        return False
    bag = collections.Counter(reference)
    for choice in itertools.islice(itertools.product(*found), 200):
        if collections.Counter(tuple(row[i] for i in choice) for row in rows) == bag:
            return True
    return False


def is_simple(sql):
    text = re.sub(r"CASE WHEN \w+ IS NULL THEN 1 ELSE 0 END( DESC)?,", "", sql.split(";")[0], flags=re.I)
    lowered = text.lower()
    return (lowered.count("select") == 1 and " over (" not in lowered and "/" not in lowered and "case" not in lowered
            and "julianday" not in lowered and " with " not in " " + lowered and "union" not in lowered)


def references(connection, sql):
    for statement in filter(str.strip, sql.split(";")):
        try:
            yield [tuple(map(plain, row)) for row in connection.execute(statement)]
        except sqlite3.Error as error:
            print("reference failed:", error, statement[:120], file=sys.stderr)


def ask(program, database, questions, extra):
    lines = "".join(json.dumps({"query": q}) + "\n" for q in questions)
    done = subprocess.run([program, "sql", "--db", database, "--batch", "--rows", "100000"] + extra, input=lines, text=True,
                          capture_output=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def judge(answer, wanted):
    if answer["refused"]:
        return "refused"
    rows = [tuple(map(plain, row)) for row in answer["rows"]]
    return "right" if any(is_subset(w, answer["columns"], rows) for w in wanted) else "wrong"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--defog")
    parser.add_argument("--questions")
    parser.add_argument("--db")
    parser.add_argument("--only", default="")
    parser.add_argument("--not", dest="without", default="")
    parser.add_argument("--files", default="questions_gen_sqlite.jsonl,instruct_basic_sqlite.jsonl")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--show", default="")
    parser.add_argument("--now")
    options = parser.parse_args()
    rows = []
    if options.questions:
        for line in open(options.questions, encoding="utf-8"):
            if line.strip() and not line.startswith("#"):
                question, sql = line.rstrip("\n").split("\t")[:2]
                rows.append((options.db, os.path.basename(options.db), question, sql))
    else:
        for name in options.files.split(","):
            for line in open(os.path.join(options.defog, name), encoding="utf-8"):
                row = json.loads(line)
                if options.all or is_simple(row["query"]):
                    path = os.path.join(options.defog, "sqlite", row["db_name"] + ".db")
                    rows.append((path, row["db_name"], row["question"], row["query"]))
    only = set(filter(None, options.only.split(",")))
    without = set(filter(None, options.without.split(",")))
    rows = [row for row in rows if (not only or row[1] in only) and row[1] not in without]
    counts = collections.Counter()
    by_database = collections.defaultdict(collections.Counter)
    for path, group in itertools.groupby(sorted(rows, key=lambda row: row[0]), key=lambda row: row[0]):
        group = list(group)
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        answers = ask(options.program, path, [row[2] for row in group], ["--now", options.now] if options.now else [])
        for (_, name, question, sql), answer in zip(group, answers):
            verdict = judge(answer, list(references(connection, sql)))
            counts[verdict] += 1
            by_database[name][verdict] += 1
            if verdict in options.show.split(","):
                print(f"{verdict.upper()} [{name}] {question}\n    ours: {answer['sql'] or answer['reason']}\n    ref:  {sql[:300]}")
    total = sum(counts.values())
    for name, found in sorted(by_database.items()):
        print(f"{name:18} {sum(found.values()):4}  right {found['right']:3}  wrong {found['wrong']:3}  refused {found['refused']:3}")
    share = lambda verdict: 100 * counts[verdict] / total if total else 0
    print(f"{'all':18} {total:4}  right {share('right'):.1f} %  wrong {share('wrong'):.1f} %  refused {share('refused'):.1f} %")
    return 0 if share("right") >= 50 and share("wrong") <= 10 else 1


if __name__ == "__main__":
    sys.exit(main())
