#!/usr/bin/env python3
"""Measures what the gatekeeper adds: the tables of docs/gatekeeper-share.md, as Markdown on standard output.

Routes labelled rows twice with `signalbox route --batch`, with the gatekeeper and without it, and with no
LLM. Rows: test/data/fresh/PROFILE.tsv (never tuned on) and test/cases/PROFILE/gate-*.cases.

    scripts/gatekeeper_share.py [--program build/release/signalbox] [--misses]
"""

import argparse
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROFILES = ["assistant", "agents", "workspace", "knowledge", "miniapps"]
WORD = re.compile(r'((?:[^\s"\[{]|"(?:\\.|[^"\\])*"|\[[^\]]*\]|\{.*\})+)')


def expectations(text):
    """route=X tier=Y … of one line, as a dictionary; only the keys a share is judged by."""
    pairs = (word.split("=", 1) for word in WORD.findall(text) if "=" in word)
    return {key: value for key, value in pairs if key in ("route", "route!", "tier", "intents")}


def gate_cases(profile):
    """Rows of the gate-*.cases files: (request, expectations)."""
    for path in sorted((ROOT / "test/cases" / profile).glob("gate-*.cases")):
        context, expected = {}, {}
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.strip() or line.startswith("#") or line.startswith("@profile"):
                continue
            if line.startswith("@with"):
                pairs = (word.split("=", 1) for word in WORD.findall(line[5:]))
                context = {key: json.loads(value) if value[0] in '[{"' else value for key, value in pairs}
                continue
            if line.startswith("@expect"):
                expected = expectations(line[7:])
                continue
            cells = line.split("\t")
            own = dict(expected)
            for cell in cells[1:]:
                own.update(expectations(cell))
            yield {"query": cells[0].strip(), **context}, own


def fresh_rows(profile):
    path = ROOT / "test/data/fresh" / (profile + ".tsv")
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("{"):
            request = json.loads(line)
            label = request.pop("expected")["route"]
        else:
            text, label = line.split("\t")[:2]
            request = {"query": text}
        if label == "UNCLEAR":
            yield request, {"tier": "clarify"}
        elif "#" in label:
            yield request, {"tier": "multi_intent", "intents": label.replace("#", ",")}
        else:
            yield request, {"route": label}


def is_met(decision, expected):
    got = {
        "route": decision.get("route") or "null",
        "tier": decision.get("tier"),
        "intents": ",".join(intent["route"] for intent in decision.get("intents") or []),
    }
    got["route!"] = got["route"]
    for key, value in expected.items():
        is_one = got[key] in value.split("|")
        if is_one == key.endswith("!"):
            return False
    return True


def route(program, profile, rows, disabled):
    lines = "".join(json.dumps(request, ensure_ascii=False) + "\n" for request, _ in rows)
    command = [program, "route", "--profile", profile, "--batch", "-", "--json"]
    if disabled:
        command += ["--disable", disabled]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, cwd=ROOT)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(ROOT / "build/release/signalbox"))
    parser.add_argument("--misses", action="store_true", help="also name the rows missed with the gatekeeper")
    flags = parser.parse_args()
    both = lambda profile: [*fresh_rows(profile), *gate_cases(profile)]
    for title, source in (("Fresh rows", fresh_rows), ("gate-*.cases", gate_cases), ("Together", both)):
        print(f"## {title}\n")
        print("| profile | rows | decided by the gatekeeper | accuracy without it | with it |")
        print("|---|---|---|---|---|")
        misses = []
        for profile in PROFILES:
            rows = list(source(profile))
            on = route(flags.program, profile, rows, "")
            off = route(flags.program, profile, rows, "gatekeeper")
            share = sum(decision["decided_by"] == "gatekeeper" for decision in on)
            right = [sum(is_met(d, e) for d, (_, e) in zip(all_, rows)) for all_ in (off, on)]
            print(f"| {profile} | {len(rows)} | {share / len(rows):.1%} | {right[0] / len(rows):.1%} | {right[1] / len(rows):.1%} |")
            misses += [(profile, r["query"], e, d) for d, (r, e) in zip(on, rows) if not is_met(d, e)]
        print()
        if not flags.misses:
            continue
        for profile, query, expected, decision in misses:
            print(f"- {profile}: {query}: expected {expected}, got {decision.get('route')} {decision['tier']} "
                  f"({decision['decided_by']} {decision['confidence']:.2f})")
        print()


if __name__ == "__main__":
    main()
