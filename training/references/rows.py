"""Labelled turns for the references step: one JSON object a line, for dump_cues and for measuring.

Usage: rows.py DATA PART > rows.jsonl, where DATA holds followup/, intent/ and sql/, and PART is
`tune`, `valid` or `final`. `final` is looked at once, when everything else stands.
Only sets whose licence allows shipped weights are used (training/references/README.md names them).
"""
import json
import random
import sys
from pathlib import Path


def part_of(number):
    """Of a dialogue: every tenth is for the end, the one before it for validation."""
    return {9: 'final', 8: 'valid'}.get(number % 10, 'tune')


def gecor(data, part):
    for line in open(data / 'followup/gecor/all.jsonl', encoding='utf-8'):
        row = json.loads(line)
        if part_of(int(row['id'].split('_')[0])) != part or not row['history']:
            continue
        history = []
        for turn in row['history'][-10:]:
            history.append({'role': 'user', 'content': turn['q']})
            history.append({'role': 'assistant', 'content': turn['a']})
        yield {'source': 'gecor', 'query': row['question'], 'history': history,
               'label': row['needs_rewrite'], 'rewrite': row['rewrite'], 'kind': row['kind']}


def tables(data, part):
    name = 'test.tsv' if part == 'final' else 'train.tsv'
    rows = [line.rstrip('\n').split('\t') for line in open(data / 'followup/tables' / name, encoding='utf-8')]
    for i, (first, second, whole, table) in enumerate(rows):
        if part != 'final' and (part == 'valid') != (i % 4 == 0):
            continue
        yield {'source': 'tables', 'query': second, 'history': [{'role': 'user', 'content': first}],
               'label': 1, 'rewrite': whole, 'kind': 'table'}
        other = rows[(i * 7 + 3) % len(rows)][0]
        for text in (first, whole):
            if text != other:
                yield {'source': 'tables', 'query': text, 'history': [{'role': 'user', 'content': other}],
                       'label': 0, 'rewrite': text, 'kind': 'complete'}


def lone(data, part, rng):
    """Messages that need no earlier one, after conversations they have nothing to do with."""
    name = 'valid' if part != 'tune' else 'train'
    pools = {}
    def read(source, path, column=0, take=None):
        rows = [line.rstrip('\n').split('\t') for line in open(data / path, encoding='utf-8')]
        rows = [r[column] for r in rows if len(r) > column and r[column]]
        if part == 'valid':
            rows = rows[0::2]
        if part == 'final':
            rows = rows[1::2]
        rng.shuffle(rows)
        pools[source] = rows[:take]
    read('clinc', f'intent/clinc150/{name}.tsv', take=1500)
    read('banking', f'intent/banking77/{name}.tsv', take=500)
    read('snips', f'intent/snips/{name}.tsv', take=500)
    read('disfl_clean', f'followup/disfl_qa/{name}.tsv', column=1, take=1500)
    for locale in ('en-US', 'es-ES', 'pt-PT', 'zh-CN', 'fr-FR', 'de-DE'):
        if (data / f'intent/massive/{locale}.{name}.tsv').exists():
            read('massive_' + locale, f'intent/massive/{locale}.{name}.tsv', take=600)
    every = [text for pool in pools.values() for text in pool]
    replies = ['Done.', 'Here is what I found.', 'Is there anything else I can help you with?', 'Sure, I can do that.',
               'I could not find that. Would you like me to try something else?', 'It is set.', 'The answer is 42.']
    for source, pool in pools.items():
        for text in pool:
            before = rng.choice(pool if rng.random() < 0.5 else every)
            history = [{'role': 'user', 'content': before}, {'role': 'assistant', 'content': rng.choice(replies)}]
            yield {'source': source, 'query': text, 'history': history, 'label': 0, 'rewrite': text, 'kind': 'complete'}


def main():
    data, part = Path(sys.argv[1]), sys.argv[2]
    rng = random.Random(7)
    for rows in (gecor(data, part), tables(data, part), lone(data, part, rng)):
        for row in rows:
            print(json.dumps(row, ensure_ascii=False))


main()
