#!/usr/bin/env python3
"""Writes the reference files of this folder: reference.py DATA [CACHE]

wordpiece.json and unigram.json are two small tokenizers, trained on MASSIVE's train rows (CC BY 4.0); ids.jsonl
has the token ids that the reference implementation gives for texts in many languages and for odd input, with
these two and, when CACHE (filled by scripts/fetch-onnx.sh --models) is named, with the real models' tokenizers;
vectors.jsonl has the first components of the real models' vectors: use the version of onnxruntime that
scripts/fetch-onnx.sh names, for 8-bit models differ a little between versions. Training breaks ties at random, so
the four files belong together. Needs tokenizers, sentencepiece, protobuf, numpy and onnxruntime.
"""
import base64
import itertools
import json
import os
import random
import sys
import tempfile

import sentencepiece
from sentencepiece import sentencepiece_model_pb2 as spm
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

HERE = os.path.dirname(os.path.abspath(__file__))
LOCALES = "en-US es-ES pt-PT fr-FR de-DE it-IT ru-RU zh-CN ja-JP ko-KR ar-SA hi-IN vi-VN tr-TR".split()
TOKENIZERS = ("all-minilm-l6-v2-q", "bge-small-zh-v15-q")
VECTORS = (("all-minilm-l6-v2-q", "mean", ""), ("bge-small-en-v15-q", "cls", ""),
           ("e5-small-v2-q", "mean", "query: "), ("bge-small-zh-v15-q", "cls", ""))
# Full width, ligatures, a letter that goes away, two letters that become one.
RULES = {"Ａ": "A", "ｂ": "b", "ﬁ": "fi", "½": "1/2", "…": "...", "\u3000": " ", "e\u0301": "é", "\u200b": "",
         "ⅳ": "iv", "㎏": "kg", "ｶﾞ": "ガ", "\u00a0": " ", "\t": " ", "\n": " "}
ODD = ["", " ", "\t\n", "a", "?", "...", "hello", "HELLO World", "  two  spaces  ", "naïve café", "cafe\u0301",
       "I'm here, aren't you?", "a-b_c", "user@example.org", "https://example.org/a?b=1&c=2", "3.14159", "1,234.50 €",
       "x" * 100, "x" * 101, "y" * 300, "[CLS] hello [SEP]", "[MASK]", "a[MASK]b", "the [mask] token", "<s>hi</s>",
       "say <mask> now", " <mask>", "<unk>", "##ing", "\u0000a\u0000b", "a\u200bb", "a\u00adb", "a\ufeffb", "a\ufffdb",
       "tab\tand\nnewline\r\n", "\u00a0no-break\u00a0space", "\u3000wide\u3000space", "emoji 🙂 👩‍👩‍👧 🇵🇹", "ﬁne ½ …",
       "Ａｂ full width １２３", "İstanbul ISPARTA ığdır", "STRASSE straße ẞ", "ΣΊΣΥΦΟΣ ς", "ǅ ǆ Ǆ", "한국어 각 각", "ｶﾞｷﾞ カ\u3099",
       "ก็ว่า น้ำ", "हिन्दी क्षत्रिय", "العَرَبِيَّة", "שָׁלוֹם", "Việt Nam Việt", "中文混合English文本", "𠀀𠀁 rare", "日本語とkanji",
       "«quotes» “curly” ‘single’ „low“", "a—b–c‐d", "¿Qué? ¡Sí!", "price: $5 / £3 / ¥7", "x² + y³ = z⁴", "α→β ≤ ∞",
       "select * from t where a='b';", "{\"a\": [1, 2]}", "#tag @name", "C++ C# .NET", "don't—stop", "e.g. i.e. etc.",
       "\u0301leading mark", "a\u0300\u0301\u0302b", "zero\u200dwidth\u200cjoiners", "\u202ertl\u202c", "\ue000private", "\U0010ffff"]


def texts():
    found = list(ODD)
    with open(os.path.join(HERE, "..", "language_phrases.tsv"), encoding="utf-8") as file:
        found += [line.rstrip("\n").split("\t")[1] for line in file if not line.startswith("#")]
    rng = random.Random(5)
    blocks = [(0x20, 0x7E)] * 5 + [(0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x5FF), (0x600, 0x6FF), (0x900, 0xDFF),
                                   (0x2000, 0x206F), (0x3040, 0x30FF), (0x4E00, 0x4FFF), (0x1F300, 0x1F64F),
                                   (0xAC00, 0xADFF), (0xFF00, 0xFFEF), (0x1100, 0x11FF)]
    for _ in range(60):
        found.append("".join(chr(rng.randint(*rng.choice(blocks))) for _ in range(rng.randint(1, 14))))
    return found


def corpus(data):
    for locale in LOCALES:
        with open(f"{data}/intent/massive/{locale}.train.tsv", encoding="utf-8") as file:
            for line in itertools.islice(file, 400):
                yield line.split("\t")[0]


def train_wordpiece(data):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator(corpus(data), trainers.WordPieceTrainer(
        vocab_size=1400, limit_alphabet=500, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return json.loads(tokenizer.to_str())


def train_unigram(data):
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/rules.tsv", "w", encoding="utf-8") as file:
            for key, value in RULES.items():
                file.write(" ".join(f"{ord(c):X}" for c in key) + "\t" + " ".join(f"{ord(c):X}" for c in value) + "\n")
        with open(f"{folder}/text", "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in corpus(data))
        sentencepiece.SentencePieceTrainer.train(
            input=f"{folder}/text", model_prefix=f"{folder}/m", vocab_size=1600, model_type="unigram",
            character_coverage=0.98, normalization_rule_tsv=f"{folder}/rules.tsv", minloglevel=2)
        model = spm.ModelProto()
        with open(f"{folder}/m.model", "rb") as file:
            model.ParseFromString(file.read())
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    vocab = [[s, 0.0] for s in special] + [[p.piece, round(p.score, 4)] for p in model.pieces if p.piece not in special]
    vocab.append(["<mask>", 0.0])

    def added(token, number, lstrip=False):
        return {"id": number, "content": token, "single_word": False, "lstrip": lstrip, "rstrip": False,
                "normalized": False, "special": True}
    frame = {"type": "TemplateProcessing", "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
             "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                        {"SpecialToken": {"id": "</s>", "type_id": 0}}],
             "special_tokens": {t: {"id": t, "ids": [special.index(t)], "tokens": [t]} for t in ("<s>", "</s>")}}
    return {"version": "1.0", "truncation": None, "padding": None,
            "added_tokens": [added(t, i) for i, t in enumerate(special)] + [added("<mask>", len(vocab) - 1, True)],
            "normalizer": {"type": "Precompiled",
                           "precompiled_charsmap": base64.b64encode(model.normalizer_spec.precompiled_charsmap).decode()},
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
                {"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True}]},
            "post_processor": frame, "decoder": None,
            "model": {"type": "Unigram", "unk_id": 3, "vocab": vocab, "byte_fallback": False}}


def bare(path):
    tokenizer = Tokenizer.from_file(path)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def write_ids(cache):
    known = {name: bare(f"{HERE}/{name}.json") for name in ("wordpiece", "unigram")}
    if cache:
        known |= {name: bare(f"{cache}/models/{name}/tokenizer.json") for name in TOKENIZERS}
    with open(f"{HERE}/ids.jsonl", "w", encoding="utf-8") as file:
        for text in texts():
            row = {"text": text} | {name: tokenizer.encode(text).ids for name, tokenizer in known.items()}
            file.write(json.dumps(row) + "\n")


def write_vectors(cache):
    import numpy as np
    import onnxruntime
    with open(f"{HERE}/vectors.jsonl", "w", encoding="utf-8") as file:
        for name, pooling, prefix in VECTORS:
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = 1
            session = onnxruntime.InferenceSession(f"{cache}/models/{name}/model.onnx", options)
            tokenizer = bare(f"{cache}/models/{name}/tokenizer.json")
            for text in ["hello", "how many orders were there last month", "turn the lights off in the kitchen",
                         "naïve café, 3.14 €", "我们有多少客户", "¿Dónde está mi paquete?", "🙂", "x" * 101,
                         "please summarise chapter two of the report that arrived yesterday"]:
                ids = np.array([tokenizer.encode(prefix + text).ids], np.int64)
                hidden = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids),
                                            "token_type_ids": np.zeros_like(ids)})[0][0]
                vector = hidden[0] if pooling == "cls" else hidden.mean(0)
                vector /= np.linalg.norm(vector)
                file.write(json.dumps({"model": name, "pooling": pooling, "prefix": prefix, "text": text,
                                       "first": [round(float(x), 6) for x in vector[:32]]}) + "\n")


def main():
    data = sys.argv[1]
    cache = sys.argv[2] if len(sys.argv) > 2 else None
    for name, made in (("wordpiece", train_wordpiece(data)), ("unigram", train_unigram(data))):
        with open(f"{HERE}/{name}.json", "w", encoding="utf-8") as file:
            json.dump(made, file, ensure_ascii=False, separators=(",", ":"))
            file.write("\n")
    write_ids(cache)
    if cache:
        write_vectors(cache)


if __name__ == "__main__":
    main()
