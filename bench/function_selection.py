#!/usr/bin/env python3
"""Which function is chosen without an LLM, on public sets of requests: signalbox call --batch.

  bench/function_selection.py build/release/signalbox ../shared/data/tools [--rows 2000]

Prints, for each set, how often the one right function was chosen (rows that ask for exactly one), how often
every argument was right too, and how often "no function fits" was said. `described`: only names and
descriptions are known. `ten examples`: ten requests a function beside them, from rows that are not measured.
`no function is for`: small talk and requests of other sets, where saying so is right: the last column.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile


def ask(program, functions, queries):
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        json.dump(functions, file)
    # No model may help, whatever the environment says.
    env = {k: v for k, v in os.environ.items() if not k.startswith(("SIGNALBOX_LLM", "OLLAMA"))}
    lines = "".join(json.dumps({"query": query}) + "\n" for query in queries)
    run = subprocess.run([program, "call", "--batch", "--functions", file.name], input=lines, text=True,
                         capture_output=True, env=env)
    os.unlink(file.name)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return [json.loads(line) for line in run.stdout.splitlines()]


def plain(value):
    return str(value).strip().strip(".").lower()


def measure(name, program, functions, rows):
    """rows: (query, function, arguments or None)"""
    answers = ask(program, functions, [row[0] for row in rows])
    right = refused = filled = with_arguments = 0
    for (_, wanted, arguments), answer in zip(rows, answers):
        chosen = (answer["calls"] or answer["partial"] or [{"function": None}])[0]
        refused += answer["refused"]
        right += chosen["function"] == wanted
        if arguments is None:
            continue
        with_arguments += 1
        same = {k: plain(v) for k, v in arguments.items()} == {
            k: plain(v) for k, v in chosen.get("arguments", {}).items()}
        filled += chosen["function"] == wanted and same
    exact = f"{filled / with_arguments:7.1%}" if with_arguments else "      –"
    print(f"{name:34}{len(functions):>10}{len(rows):>7}{right / len(rows):>10.1%}{exact:>10}{refused / len(rows):>9.1%}",
          flush=True)
    return right, len(rows)


def seal(folder, split):
    tools = [json.loads(line) for line in open(folder / "seal_tools/tools.jsonl")]
    rows = [json.loads(line) for line in open(folder / f"seal_tools/{split}.jsonl")]
    single = [(row["query"], row["calling"][0]["api"], row["calling"][0]["parameters"])
              for row in rows if len(row["calling"]) == 1]
    return tools, single


def alpaca(folder):
    for split in ("eval_simulated", "eval_real"):
        for line in open(folder / f"toolalpaca/{split}.jsonl"):
            api = json.loads(line)
            document = json.loads(api["Documentation"])
            # The set names operations in its own way; the document's may have no name at all.
            for name, (path, method) in api["Function_Projection"].items():
                document["paths"][path][method]["operationId"] = name
            rows = [(query, golden[0]["Action"], None)
                    for query, golden in zip(api["Instructions"], api["Golden_Answers"]) if len(golden) == 1]
            names = set(api["Function_Projection"])
            yield document, [row for row in rows if row[1] in names]


def refused(name, program, functions, count, queries):
    answers = ask(program, functions, queries)
    share = sum(answer["refused"] for answer in answers) / len(answers)
    print(f"{name:34}{count:>10}{len(queries):>7}{'–':>10}{'–':>10}{share:>9.1%}", flush=True)


def small_talk(folder, rows):
    path = folder.parent / "chitchat/ms_chitchat/en-us.tsv"
    if not path.exists():
        return []
    lines = [line.split("\t")[0] for line in open(path)]
    random.Random(1).shuffle(lines)
    return [line for line in lines if 2 < len(line.split()) < 25][:rows]


def unfit(options):
    talk = small_talk(options.folder, 300)
    tools, _ = seal(options.folder, "valid")
    descriptions = json.load(open(options.folder / "metatool/plugin_des.json"))
    plugins = [{"name": k, "description": v} for k, v in descriptions.items()]
    if talk:
        refused("small talk, seal_tools", options.program, tools, len(tools), talk)
        refused("small talk, metatool", options.program, plugins, len(plugins), talk)
    apis = list(alpaca(options.folder))
    asked = said = 0
    for i, (document, _) in enumerate(apis):
        others = [row[0] for row in apis[(i + 1) % len(apis)][1]]
        answers = ask(options.program, document, others) if others else []
        asked += len(answers)
        said += sum(answer["refused"] for answer in answers)
    print(f"{'another API, toolalpaca':34}{'5':>10}{asked:>7}{'–':>10}{'–':>10}{said / asked:>9.1%}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=2000, help="of metatool that are measured")
    parser.add_argument("--only", default="seal,alpaca,metatool,unfit")
    options = parser.parse_args()
    print(f"{'set':34}{'functions':>10}{'rows':>7}{'chosen':>10}{'arguments':>10}{'refused':>9}")
    if "seal" in options.only:
        for split in ("valid", "test_in_domain"):
            tools, rows = seal(options.folder, split)
            measure(f"seal_tools {split}, described", options.program, tools, rows)
    if "alpaca" in options.only:
        right = count = refused = functions = 0
        for document, rows in alpaca(options.folder):
            answers = ask(options.program, document, [row[0] for row in rows])
            for (_, wanted, _), answer in zip(rows, answers):
                chosen = (answer["calls"] or answer["partial"] or [{"function": None}])[0]
                right += chosen["function"] == wanted
                refused += answer["refused"]
            count += len(rows)
            functions += sum(len(item) for item in document["paths"].values())
        print(f"{'toolalpaca, described (21 APIs)':34}{functions:>10}{count:>7}{right / count:>10.1%}{'–':>10}"
              f"{refused / count:>9.1%}", flush=True)
    if "metatool" in options.only:
        descriptions = json.load(open(options.folder / "metatool/plugin_des.json"))
        rows = [line.rstrip("\n").split("\t") for line in open(options.folder / "metatool/single.tsv")]
        rows = [row for row in rows if len(row) == 2 and row[0].strip()]
        random.Random(7).shuffle(rows)
        measured = [(row[0], row[1], None) for row in rows[:options.rows]]
        seen = {row[0] for row in rows[:options.rows]}
        measure("metatool, described", options.program,
                [{"name": k, "description": v} for k, v in descriptions.items()], measured)
        examples = {}
        for text, label in rows[options.rows:]:
            if text not in seen and len(examples.setdefault(label, [])) < 10:
                examples[label].append(text)
        measure("metatool, ten examples each", options.program,
                [{"name": k, "description": v, "examples": examples.get(k, [])} for k, v in descriptions.items()],
                measured)
    if "unfit" in options.only:
        print("\nno function is for")
        unfit(options)


if __name__ == "__main__":
    main()
