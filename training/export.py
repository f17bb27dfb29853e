"""Between the PyTorch student and encoder.sbenc."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

import sbenc
from model import Encoder
from text import MAX_FEATURES

_VECTORS = {"ln1_g": "ln1.weight", "ln1_b": "ln1.bias", "ln2_g": "ln2.weight", "ln2_b": "ln2.bias"}
_LINEARS = {"wqkv": "qkv", "wo": "wo", "w1": "w1", "w2": "w2"}


def save(path: Path, state: dict[str, torch.Tensor], heads: int) -> int:
    """Quantises `state` and writes it; returns the file's size."""
    value = {name: t.detach().float().cpu().numpy() for name, t in state.items()}
    layers = 1 + max(int(name.split(".")[1]) for name in value if name.startswith("layers."))
    shape = sbenc.Shape(value["emb.weight"].shape[0] - 1, value["pos"].shape[1], layers, heads,
                        value["layers.0.w1.weight"].shape[0], value["wout.weight"].shape[0],
                        value["pos"].shape[0], MAX_FEATURES)
    tensors: sbenc.Tensors = {"pos": value["pos"], "pool_q": value["pool"],
                              "lnf_g": value["lnf.weight"], "lnf_b": value["lnf.bias"]}
    tensors["emb"], tensors["emb_scale"] = sbenc.quantize_rows(value["emb.weight"][:-1])

    def linear(name: str, source: str) -> None:
        tensors[name], tensors[name + "_scale"] = sbenc.quantize_rows(value[source + ".weight"])
        tensors[name + "_bias"] = value[source + ".bias"]

    linear("wout", "wout")
    for i in range(layers):
        for name, source in _VECTORS.items():
            tensors[f"{i}.{name}"] = value[f"layers.{i}.{source}"]
        for name, source in _LINEARS.items():
            linear(f"{i}.{name}", f"layers.{i}.{source}")
    return sbenc.write(path, shape, tensors)


def load(path: Path) -> Encoder:
    """The student with the file's weights in floating point, to evaluate or to train on."""
    shape, t = sbenc.read(path)
    model = Encoder(shape.buckets, shape.dim, shape.layers, shape.heads, shape.ffn, shape.out, shape.max_words)
    state: dict[str, torch.Tensor] = {}

    def put(name: str, value: np.ndarray) -> None:
        state[name] = torch.from_numpy(np.array(value, np.float32))

    def linear(name: str, source: str) -> None:
        put(name + ".weight", t[source] * t[source + "_scale"][:, None])
        put(name + ".bias", t[source + "_bias"])

    rows = t["emb"] * t["emb_scale"][:, None]
    put("emb.weight", np.concatenate([rows, np.zeros((1, shape.dim), np.float32)]))
    put("pos", t["pos"])
    put("pool", t["pool_q"])
    put("lnf.weight", t["lnf_g"])
    put("lnf.bias", t["lnf_b"])
    linear("wout", "wout")
    for i in range(shape.layers):
        for name, source in _VECTORS.items():
            put(f"layers.{i}.{source}", t[f"{i}.{name}"])
        for name, source in _LINEARS.items():
            linear(f"layers.{i}.{source}", f"{i}.{name}")
    model.load_state_dict(state)
    return model
