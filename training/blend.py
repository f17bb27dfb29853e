"""Moves the weights on from one stage to the next, or beyond it.

    python blend.py out/stage1.sbenc out/full.sbenc 1.5 out/encoder.sbenc

1 is the second file; over 1 goes further the way the supervised stage went.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import export
from model import HEADS


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("share", type=float)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    first, second = (export.load(path).state_dict() for path in (args.first, args.second))
    moved = {name: value + args.share * (second[name] - value) for name, value in first.items()}
    print(export.save(args.out, moved, HEADS), "bytes")


if __name__ == "__main__":
    main()
