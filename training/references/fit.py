"""Fits the weights of the references step's cues: fit.py TUNE.tsv [VALID.tsv] > reference_cues.tsv

The rows are what dump_cues prints. Logistic regression with a small L2 penalty, full passes in a fixed
order, so the same rows give the same weights. Figures go to stderr.
"""
import math
import random
import sys
from collections import defaultdict

LONE = 0.4  # what a message after a foreign conversation counts beside one of a real conversation


def read(path):
    rows = []
    for line in open(path, encoding='utf-8'):
        label, source, kind, cosine, cues, text = line.rstrip('\n').split('\t', 5)
        cues = cues.split()
        rows.append((int(label), source, kind, cues, text))
    return rows


SURE = 1.0  # what a free pointer or an opener makes of the odds at least; resolver.cpp does the same


def is_sure(cues):
    opens = 'opener' in cues and 'content_6' not in cues and 'repeats_name' not in cues
    return 'closing_only' not in cues and (opens or 'free' in cues)


def odds_of(bias, weight, cues):
    odds = bias + sum(weight.get(c, 0) for c in with_pairs(cues))
    return max(odds, SURE) if is_sure(cues) else odds


def with_pairs(cues):
    cues = sorted(cues)
    return cues + [a + '+' + b for i, a in enumerate(cues) for b in cues[i + 1:]]


def fit(rows, passes=25, rate=0.1, sparse=5e-5):
    """Proximal steps: a weight that earns less than `sparse` a row falls back to nothing."""
    weight = defaultdict(float)
    seen = {}
    bias, now = -1.0, 0.0
    rng = random.Random(3)
    rows = [(label, with_pairs(cues), 1.0 if source in ('gecor', 'tables') else LONE) for label, source, _, cues, _ in rows if not is_sure(cues)]
    for step in range(passes):
        rng.shuffle(rows)
        pace = rate / (1 + step * 0.2)
        for label, cues, share in rows:
            now += pace * sparse
            odds = bias
            for c in cues:
                value = weight[c]
                shrink = now - seen.get(c, 0.0)
                seen[c] = now
                value = max(0.0, value - shrink) if value > 0 else min(0.0, value + shrink)
                weight[c] = value
                odds += value
            wrong = share * (label - 1 / (1 + math.exp(-max(-30, min(30, odds)))))
            bias += pace * wrong
            for c in cues:
                weight[c] += pace * wrong
    for c in list(weight):
        shrink = now - seen[c]
        weight[c] = max(0.0, weight[c] - shrink) if weight[c] > 0 else min(0.0, weight[c] + shrink)
        if abs(weight[c]) < 0.02:
            del weight[c]
    return bias, dict(weight)


def figures(name, rows, bias, weight, threshold=0.0):
    counts = defaultdict(lambda: [0, 0, 0, 0])
    for label, source, kind, cues, _ in rows:
        got = odds_of(bias, weight, cues) > threshold
        for key in (source, 'followup' if source in ('gecor', 'tables') else 'lone', source + '/' + kind):
            counts[key][(0 if got else 2) + (0 if label else 1)] += 1
    for key in sorted(counts):
        if '/complete' in key: continue
        tp, fp, fn, tn = counts[key]
        f1 = 2 * tp / max(1, 2 * tp + fp + fn)
        print(f'{name} {key}: tp {tp} fp {fp} fn {fn} tn {tn} F1 {f1:.3f} false {fp / max(1, fp + tn):.3f}', file=sys.stderr)


def main():
    tune = read(sys.argv[1])
    bias, weight = fit(tune)
    print('# Log-odds that a message leans on an earlier one; fitted by training/references/fit.py.')
    print(f'bias\t{bias:.3f}')
    for cue in sorted(weight):
        print(f'{cue}\t{weight[cue]:.3f}')
    for path in sys.argv[1:]:
        figures(path.split('/')[-1], read(path), bias, weight)


main()
