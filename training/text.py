"""Text to words to hashed features: the same rules as the C++ encoder."""

from __future__ import annotations

import unicodedata

BUCKETS = 53_248
MAX_WORDS = 48
MAX_FEATURES = 24
MAX_WINDOWS = 16
MAX_WORD_CHARS = 64

_FNV_OFFSET = 14695981039346656037
_FNV_PRIME = 1099511628211
_MASK = (1 << 64) - 1
_MIX = 0x9E3779B97F4A7C15

# Scripts written without spaces: every code point is a word.
_UNSPACED = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2FA1F), (0xF900, 0xFAFF),
    (0x3040, 0x30FF), (0x0E00, 0x0E7F), (0x0E80, 0x0EFF), (0x1780, 0x17FF), (0x1000, 0x109F),
)

# A word and, for a code point of an unspaced script, the pair with its right neighbour.
Word = tuple[str, str]

_kind_cache: dict[str, str] = {}


def _kind(char: str) -> str:
    """c: unspaced script, l: letter, r: other part of a run, s: space, o: a word of its own."""
    kind = _kind_cache.get(char)
    if kind is None:
        code = ord(char)
        category = unicodedata.category(char)
        if any(low <= code <= high for low, high in _UNSPACED):
            kind = "c"
        elif category[0] == "L":
            kind = "l"
        elif category[0] in "MN":
            kind = "r"
        elif char.isspace() or category == "Cc":
            kind = "s"
        else:
            kind = "o"
        _kind_cache[char] = kind
    return kind


def normalize(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower().replace("\u2019", "'")


def words(text: str) -> list[Word]:
    """All words of `text`, in order, before any window is cut."""
    chars = normalize(text)
    kinds = [_kind(c) for c in chars]
    found: list[Word] = []
    i, end = 0, len(chars)
    while i < end:
        kind = kinds[i]
        if kind == "s":
            i += 1
        elif kind == "c":
            pair = chars[i:i + 2] if i + 1 < end and kinds[i + 1] == "c" else ""
            found.append((chars[i], pair))
            i += 1
        elif kind == "o":
            found.append((chars[i], ""))
            i += 1
        else:
            start = i
            i += 1
            while i < end:
                if kinds[i] in "lr":
                    i += 1
                elif (chars[i] == "'" and kinds[i - 1] == "l" and i + 1 < end and kinds[i + 1] == "l"):
                    i += 2
                else:
                    break
            found.append((chars[start:i], ""))
    return found


def _hash(kind: bytes, text: str) -> int:
    """FNV-1a, mixed once more: its last byte does not reach the top bits, which choose the bucket."""
    h = _FNV_OFFSET
    for byte in kind + text.encode("utf-8", "surrogatepass"):
        h = ((h ^ byte) * _FNV_PRIME) & _MASK
    h ^= h >> 32
    return ((h * _MIX) & _MASK) >> 32


_gram_cache: dict[str, int] = {}


def features(word: Word, buckets: int = BUCKETS, max_features: int = MAX_FEATURES) -> list[int]:
    """The bucket ids of one word, in the order word, pair, 3-, 4-, 5-grams."""
    token, pair = word
    token = token[:MAX_WORD_CHARS]
    found = [_hash(b"w", token)]
    if pair:
        found.append(_hash(b"p", pair))
    if _kind(token[0]) in "lr":
        marked = f"<{token}>"
        grams = (marked[i:i + n] for n in (3, 4, 5) for i in range(len(marked) - n + 1))
        for gram in grams:
            if len(found) == max_features:
                break
            if gram == marked:
                continue
            h = _gram_cache.get(gram)
            if h is None:
                h = _hash(b"g", gram)
                if len(_gram_cache) < 2_000_000:
                    _gram_cache[gram] = h
            found.append(h)
    return [h * buckets >> 32 for h in found]


def windows(count: int, size: int = MAX_WORDS, most: int = MAX_WINDOWS) -> list[tuple[int, int]]:
    """Consecutive windows over `count` words; when there are too many, `most` of them spread evenly."""
    every = [(start, min(start + size, count)) for start in range(0, count, size)]
    if len(every) <= most:
        return every
    return [every[i * (len(every) - 1) // (most - 1)] for i in range(most)]
