"""The encoder in plain numpy with the integer arithmetic of the C++ code: the reference for its tests.

    python reference.py ../models/encoder.sbenc --vectors ../test/data/encoder_vectors.jsonl
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

import sbenc
import text as rules

SAMPLES = [
    "", " \t\n", "a", "?", "Hello, world!", "how do i cancel my order", "How do I CANCEL my Order",
    "what's my account balance?", "what’s my account balance?", "rock 'n' roll isn't dead'", "'quoted'",
    "¿Dónde está la biblioteca más cercana?", "cancela mi suscripción, por favor", "qual é o saldo da minha conta?",
    "não consigo entrar na minha conta", "wie wird das Wetter morgen in München?", "Straßenbahn nach Köln",
    "quelle heure est-il à Montréal ?", "l'été prochain", "明天北京天气怎么样", "帮我取消订单", "请把 iPhone 14 的价格告诉我",
    "東京の天気を教えて", "カタカナ・テスト", "ﾊﾝｶｸ ｶﾀｶﾅ", "서울 날씨 알려줘", "какая завтра погода?", "ما هي حالة الطقس",
    "พรุ่งนี้อากาศเป็นอย่างไร", "कल मौसम कैसा रहेगा", "İstanbul'da hava nasıl", "ΟΔΟΣ ΣΟΦΙΑΣ", "👍🏽 great job 🎉", "e\u0301te\u0301 vs été",
    "ﬁne ① ½ Ⅳ ㎏", "zero\u200bwidth and\u00a0nbsp", "bell\u0007 and null\u0000 inside", "foo_bar-baz@example.com https://x.org/a?b=1",
    "SELECT count(*) FROM head WHERE age > 56;", "plz cancle my oder asap!!!",
    "pneumonoultramicroscopicsilicovolcanoconiosis" + "x" * 40, "turn on the lights " * 16, "word " * 1000,
]


def quantize(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each row on its own to 8 bits."""
    rounded, scale = sbenc.quantize_rows(x)
    return rounded.astype(np.int32), scale


def layer_norm(x: np.ndarray, gain: np.ndarray, bias: np.ndarray) -> np.ndarray:
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(1e-5)) * gain + bias


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


class Reference:
    def __init__(self, path: Path) -> None:
        self.shape, self.t = sbenc.read(path)

    def features(self, word: rules.Word) -> list[int]:
        return rules.features(word, self.shape.buckets, self.shape.max_features)

    def _linear(self, x: np.ndarray, name: str) -> np.ndarray:
        q, scale = quantize(x)
        dot = (q @ self.t[name].astype(np.int32).T).astype(np.float32)
        return dot * (scale[:, None] * self.t[name + "_scale"][None, :]) + self.t[name + "_bias"]

    def window(self, features: list[list[int]]) -> np.ndarray:
        """The unit vector of at most max_words words."""
        t, shape = self.t, self.shape
        x = np.stack([(t["emb"][f].astype(np.float32) * t["emb_scale"][f][:, None]).sum(0) / np.float32(np.sqrt(len(f)))
                      for f in features]) + t["pos"][:len(features)]
        size = shape.dim // shape.heads
        for i in range(shape.layers):
            p = f"{i}."
            qkv = self._linear(layer_norm(x, t[p + "ln1_g"], t[p + "ln1_b"]), p + "wqkv")
            q, k, v = (part.reshape(len(x), shape.heads, size).transpose(1, 0, 2) for part in np.split(qkv, 3, axis=1))
            a = softmax(q @ k.transpose(0, 2, 1) / np.float32(np.sqrt(size))) @ v
            x = x + self._linear(a.transpose(1, 0, 2).reshape(len(x), shape.dim), p + "wo")
            hidden = np.maximum(self._linear(layer_norm(x, t[p + "ln2_g"], t[p + "ln2_b"]), p + "w1"), 0)
            x = x + self._linear(hidden, p + "w2")
        x = layer_norm(x, t["lnf_g"], t["lnf_b"])
        weight = softmax(x @ t["pool_q"] / np.float32(np.sqrt(shape.dim)))
        out = self._linear((weight[:, None] * x).sum(0, keepdims=True), "wout")[0]
        return out / np.linalg.norm(out)

    def encode(self, text: str) -> np.ndarray:
        """The unit vector of a text; zeros when it has no word."""
        found = [self.features(word) for word in rules.words(text)]
        total = np.zeros(self.shape.out, np.float32)
        for start, end in rules.windows(len(found), self.shape.max_words):
            total += (end - start) * self.window(found[start:end])
        norm = np.linalg.norm(total)
        return total / norm if norm > 0 else total


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--vectors", type=Path, required=True)
    args = parser.parse_args()
    reference = Reference(args.file)
    with args.vectors.open("w", encoding="utf-8") as f:
        for text in SAMPLES:
            words = rules.words(text)
            row = {"text": text, "words": [w for w, _ in words][:96],
                   "features": [reference.features(w) for w in words[:96]],
                   "vector": [round(float(v), 6) for v in reference.encode(text)]}
            f.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(len(SAMPLES), "texts")


if __name__ == "__main__":
    main()
