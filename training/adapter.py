#!/usr/bin/env python3
"""Turns labelled rows into a LoRA adapter (GGUF) for a small model that a slot runs in process.

  signalbox export decisions.db --profile workspace --out rows.tsv
  python training/adapter.py --base SmolLM2-135M-Instruct.Q4_1.gguf --rows rows.tsv --out workspace.lora.gguf
  SIGNALBOX_LLM_URL_CLASSIFIER='gguf:SmolLM2-135M-Instruct.Q4_1.gguf?lora=workspace.lora.gguf:1' signalbox serve …

The base's own weights are read from the GGUF file, dequantized and left as they are; two thin matrices a layer on
the query and value projections learn to answer a message with its route. Rows are cut into learned and held-out
ones; the share of right routes on the held-out ones is printed before and after. Runs on the CPU: 400 rows and
three passes take some minutes. Needs torch, gguf, tokenizers (training/requirements-adapter.txt).
"""
import argparse
import math
import random
import time

import gguf
import numpy as np
import tokenizers
import torch
from torch import nn
from torch.nn import functional as F


class Base:
    """What a llama-shaped GGUF file holds: sizes, weights as float32, and its tokenizer."""

    def __init__(self, path):
        reader = gguf.GGUFReader(path)
        self.fields = reader.fields
        arch = self.value("general.architecture")
        if arch != "llama":
            raise SystemExit(f"{path}: the recipe knows the llama architecture, this is {arch}")
        self.layers = self.value("llama.block_count")
        self.heads = self.value("llama.attention.head_count")
        self.kv_heads = self.value("llama.attention.head_count_kv")
        self.width = self.value("llama.embedding_length")
        self.epsilon = self.value("llama.attention.layer_norm_rms_epsilon")
        self.theta = self.value("llama.rope.freq_base")
        self.weights = {}
        for tensor in reader.tensors:
            values = gguf.dequantize(tensor.data, tensor.tensor_type)
            shape = [int(n) for n in reversed(tensor.shape)]
            self.weights[tensor.name] = torch.from_numpy(np.array(values, dtype=np.float32).reshape(shape))

    def value(self, key):
        return self.fields[key].contents()

    def tokenizer(self):
        tokens = self.value("tokenizer.ggml.tokens")
        merges = [tuple(merge.split(" ", 1)) for merge in self.value("tokenizer.ggml.merges")]
        kinds = self.value("tokenizer.ggml.token_type")
        out = tokenizers.Tokenizer(tokenizers.models.BPE({t: i for i, t in enumerate(tokens)}, merges))
        out.pre_tokenizer = tokenizers.pre_tokenizers.Sequence(
            [tokenizers.pre_tokenizers.Digits(individual_digits=True),
             tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)])
        out.decoder = tokenizers.decoders.ByteLevel()
        out.add_special_tokens([t for t, kind in zip(tokens, kinds) if kind == gguf.TokenType.CONTROL])
        return out


class Adapter(nn.Module):
    """Two thin matrices a projection: b starts at zero, so that nothing changes before it learns."""

    def __init__(self, base, rank, alpha):
        super().__init__()
        self.scale = alpha / rank
        self.parts = nn.ParameterDict()
        for layer in range(base.layers):
            for name in ("attn_q", "attn_v"):
                rows, columns = base.weights[f"blk.{layer}.{name}.weight"].shape
                self.parts[f"{layer}_{name}_a"] = nn.Parameter(torch.randn(rank, columns) / math.sqrt(columns))
                self.parts[f"{layer}_{name}_b"] = nn.Parameter(torch.zeros(rows, rank))

    def add(self, layer, name, x):
        a, b = self.parts[f"{layer}_{name}_a"], self.parts[f"{layer}_{name}_b"]
        return (x @ a.T @ b.T) * self.scale


def norm(x, weight, epsilon):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon) * weight


def turned(x, angles):
    """Rotary positions over neighbouring pairs, as GGUF stores llama's heads."""
    even, odd = x[..., 0::2], x[..., 1::2]
    cos, sin = angles.cos(), angles.sin()
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)


def logits(base, adapter, tokens):
    w = base.weights
    batch, length = tokens.shape
    size = base.width // base.heads
    x = w["token_embd.weight"][tokens]
    steps = base.theta ** (-torch.arange(0, size, 2) / size)
    angles = torch.arange(length)[:, None] * steps
    for layer in range(base.layers):
        blk = f"blk.{layer}."
        h = norm(x, w[blk + "attn_norm.weight"], base.epsilon)
        q = h @ w[blk + "attn_q.weight"].T + adapter.add(layer, "attn_q", h)
        k = h @ w[blk + "attn_k.weight"].T
        v = h @ w[blk + "attn_v.weight"].T + adapter.add(layer, "attn_v", h)
        q = turned(q.view(batch, length, base.heads, size).transpose(1, 2), angles)
        k = turned(k.view(batch, length, base.kv_heads, size).transpose(1, 2), angles)
        v = v.view(batch, length, base.kv_heads, size).transpose(1, 2)
        group = base.heads // base.kv_heads
        k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + seen.transpose(1, 2).reshape(batch, length, base.width) @ w[blk + "attn_output.weight"].T
        h = norm(x, w[blk + "ffn_norm.weight"], base.epsilon)
        h = F.silu(h @ w[blk + "ffn_gate.weight"].T) * (h @ w[blk + "ffn_up.weight"].T)
        x = x + h @ w[blk + "ffn_down.weight"].T
    x = norm(x, w["output_norm.weight"], base.epsilon)
    return x @ w.get("output.weight", w["token_embd.weight"]).T


def prompt(query):
    return (f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\n{query}<|im_end|>\n<|im_start|>assistant\n")


SYSTEM = "Answer with the name of the route that the message belongs to."


def encode(tokenizer, query, label):
    asked = tokenizer.encode(prompt(query)).ids
    return asked, tokenizer.encode(label + "<|im_end|>").ids


def right_share(base, adapter, tokenizer, rows, labels):
    """How often the right label is the likeliest of all labels after the prompt."""
    right = 0
    with torch.no_grad():
        for query, wanted in rows:
            scores = {}
            for label in labels:
                asked, answer = encode(tokenizer, query, label)
                tokens = torch.tensor([asked + answer])
                log = logits(base, adapter, tokens)[0].log_softmax(-1)
                scores[label] = sum(log[len(asked) - 1 + i, t].item() for i, t in enumerate(answer))
            right += max(scores, key=scores.get) == wanted
    return right / max(1, len(rows))


def learn(base, adapter, tokenizer, rows, passes, batch, rate):
    optimizer = torch.optim.AdamW(adapter.parameters(), lr=rate, weight_decay=0.01)
    steps = passes * math.ceil(len(rows) / batch)
    step = 0
    for turn in range(passes):
        random.shuffle(rows)
        total = 0.0
        for first in range(0, len(rows), batch):
            pairs = [encode(tokenizer, *row) for row in rows[first:first + batch]]
            longest = max(len(a) + len(b) for a, b in pairs)
            tokens = torch.zeros(len(pairs), longest, dtype=torch.long)
            wanted = torch.full((len(pairs), longest), -100)
            for i, (asked, answer) in enumerate(pairs):
                tokens[i, :len(asked) + len(answer)] = torch.tensor(asked + answer)
                wanted[i, len(asked):len(asked) + len(answer)] = torch.tensor(answer)
            out = logits(base, adapter, tokens)[:, :-1]
            loss = F.cross_entropy(out.reshape(-1, out.shape[-1]), wanted[:, 1:].reshape(-1), ignore_index=-100)
            optimizer.zero_grad()
            loss.backward()
            for group in optimizer.param_groups:
                group["lr"] = rate * (1 - step / steps)
            optimizer.step()
            step += 1
            total += loss.item()
        print(f"pass {turn + 1}: loss {total / math.ceil(len(rows) / batch):.4f}", flush=True)


def write(path, base, adapter, alpha):
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    for layer in range(base.layers):
        for name in ("attn_q", "attn_v"):
            for part in ("a", "b"):
                values = adapter.parts[f"{layer}_{name}_{part}"].detach().numpy().astype(np.float32)
                writer.add_tensor(f"blk.{layer}.{name}.weight.lora_{part}", values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", required=True)
    parser.add_argument("--rows", required=True, help="text, tab, route: what `signalbox export` writes")
    parser.add_argument("--out", required=True)
    parser.add_argument("--rank", type=int, default=8)
    parser.add_argument("--alpha", type=float, default=16)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--holdout", type=float, default=0.1, help="share of the rows that are not learned from")
    parser.add_argument("--limit", type=int, default=0, help="of the rows; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    rows = [line.rstrip("\n").split("\t")[:2] for line in open(options.rows) if "\t" in line and line[0] != "#"]
    rows = [tuple(row) for row in rows if "#" not in row[1] and row[1] != "oos"]
    random.shuffle(rows)
    rows = rows[:options.limit or None]
    held = rows[:max(1, int(len(rows) * options.holdout))]
    rows = rows[len(held):]
    labels = sorted({label for _, label in rows})
    start = time.time()
    base = Base(options.base)
    tokenizer = base.tokenizer()
    adapter = Adapter(base, options.rank, options.alpha)
    print(f"{len(rows)} rows to learn from, {len(held)} held out, {len(labels)} routes", flush=True)
    print(f"before: {right_share(base, adapter, tokenizer, held, labels):.1%} right on the held-out rows", flush=True)
    learn(base, adapter, tokenizer, rows, options.passes, options.batch, options.rate)
    print(f"after: {right_share(base, adapter, tokenizer, held, labels):.1%} right on the held-out rows", flush=True)
    write(options.out, base, adapter, options.alpha)
    print(f"{options.out}: written after {time.time() - start:.0f} s")


if __name__ == "__main__":
    main()
