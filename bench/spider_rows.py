#!/usr/bin/env python3
"""Databases with made-up rows for the schemas of Spider, whose own databases are not at hand.

  bench/spider_rows.py ../shared/data/sql/spider OUT
  bench/sql_accuracy.py PROGRAM --defog OUT --files questions.jsonl

Keys are numbered and links kept; texts and numbers are drawn, with a fixed seed, from the values the set's statements
compare a column of that name with and from others. Rows that many statements tell apart are not the set's own rows: read
the figure as a measure between two versions of the program, not as Spider's.
"""
import collections, json, os, pathlib, random, re, sqlite3, sys

ROWS = 14
COMPARED = re.compile(r"""(?:\w+\.)?(\w+)\s*(?:=|!=|<>|like|>=|<=|>|<)\s*(?:"([^"]*)"|'([^']*)'|(\d+(?:\.\d+)?))""", re.I)
TYPES = {"number": "NUMERIC", "text": "TEXT", "time": "DATETIME", "boolean": "BOOLEAN"}


def compared_values(statements):
    """Column name, in lower case: the values it is compared with."""
    out = collections.defaultdict(list)
    for sql in statements:
        for match in COMPARED.finditer(sql):
            value = (match[2] or match[3] or match[4] or "").strip("%")
            if value and value not in out[match[1].lower()]:
                out[match[1].lower()].append(value)
    return out


class Schema:
    def __init__(self, described):
        self.tables = described["table_names_original"]
        self.columns = described["column_names_original"]  # [table, name]
        self.types = described["column_types"]
        self.keys = {key for key in described["primary_keys"] if isinstance(key, int)}
        self.links = {}
        for column, target in described["foreign_keys"]:
            self.links.setdefault(column, target)

    def of(self, table):
        return [i for i, (owner, _) in enumerate(self.columns) if owner == table]

    def in_order(self):
        """Tables, those that others refer to first."""
        done = []

        def visit(table, above):
            if table in done or table in above:
                return
            for column in self.of(table):
                if column in self.links:
                    visit(self.columns[self.links[column]][0], above | {table})
            done.append(table)

        for table in range(len(self.tables)):
            visit(table, frozenset())
        return done


def drawn(schema, column, known, filled, draw):
    name, kind, pool = schema.columns[column][1], schema.types[column], known.get(schema.columns[column][1].lower(), [])
    if schema.links.get(column) in filled:
        return [draw.choice(filled[schema.links[column]]) for _ in range(ROWS)]
    if column in schema.keys:
        return list(range(1, ROWS + 1)) if kind == "number" else (pool + [f"{name[:3]}{k}" for k in range(ROWS)])[:ROWS]
    if kind == "number":
        numbers = [float(v) if "." in v else int(v) for v in pool if re.fullmatch(r"\d+(\.\d+)?", v)]
        return [draw.choice(numbers) + draw.choice([-1, 0, 0, 1, 5]) if numbers and draw.random() < 0.7
                else draw.randint(1, 90) for _ in range(ROWS)]
    if kind == "time":
        return [draw.choice(pool) if pool and draw.random() < 0.5
                else f"20{draw.randint(10, 20)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}" for _ in range(ROWS)]
    others = [f"{name.split('_')[0].title()} {chr(65 + k)}{k}" for k in range(6)]
    values = [draw.choice(pool + others) for _ in range(ROWS)]
    values[:len(pool[:ROWS])] = pool[:ROWS]
    return values


def make(path, schema, known, draw):
    connection = sqlite3.connect(path)
    filled = {}
    for table in schema.in_order():
        columns = schema.of(table)
        has_one_key = sum(column in schema.keys for column in columns) == 1
        parts = [f'"{schema.columns[c][1]}" {TYPES.get(schema.types[c], "TEXT")}'
                 + (" PRIMARY KEY" if c in schema.keys and has_one_key else "") for c in columns]
        for column in filter(schema.links.get, columns):
            owner, name = schema.columns[schema.links[column]]
            parts.append(f'FOREIGN KEY("{schema.columns[column][1]}") REFERENCES "{schema.tables[owner]}"("{name}")')
        connection.execute(f'CREATE TABLE "{schema.tables[table]}" ({", ".join(parts)})')
        for column in columns:
            filled[column] = drawn(schema, column, known, filled, draw)
        marks = ",".join("?" * len(columns))
        connection.executemany(f'INSERT OR IGNORE INTO "{schema.tables[table]}" VALUES ({marks})',
                               zip(*(filled[column] for column in columns)))
    connection.commit()


def main():
    source, out = map(pathlib.Path, sys.argv[1:3])
    (out / "sqlite").mkdir(parents=True, exist_ok=True)
    text = open(source / "tables.json", encoding="utf-8").read()
    described = json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]
    asked = collections.defaultdict(list)
    for line in open(source / "train.jsonl", encoding="utf-8"):
        row = json.loads(line)
        asked[row["db_id"]].append(row)
    with open(out / "questions.jsonl", "w", encoding="utf-8") as questions:
        for each in described:
            name = each["db_id"]
            path = out / "sqlite" / f"{name}.db"
            path.unlink(missing_ok=True)
            try:
                make(path, Schema(each), compared_values(row["sql"] for row in asked[name]), random.Random(name))
            except sqlite3.Error as error:
                print(f"{name} is left out: {error}", file=sys.stderr)
                path.unlink()
                continue
            for row in asked[name]:
                questions.write(json.dumps({"db_name": name, "question": row["question"], "query": row["sql"]}) + "\n")


if __name__ == "__main__":
    main()
