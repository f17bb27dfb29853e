"""Reads and writes encoder.sbenc, the encoder's 8-bit weights file."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

MAGIC = b"SBENC\0\0\2"
HEADER_BYTES = 128
MAX_BYTES = 16_000_000


@dataclass
class Shape:
    buckets: int
    dim: int
    layers: int
    heads: int
    ffn: int
    out: int
    max_words: int
    max_features: int


Tensors = dict[str, np.ndarray]


def quantize_rows(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Symmetric 8-bit rows, one scale each, rounded half to even; a zero row has scale 0."""
    matrix = matrix.astype(np.float32)
    scale = (np.abs(matrix).max(axis=1) / np.float32(127)).astype(np.float32)
    safe = np.where(scale > 0, scale, np.float32(1))
    rounded = np.clip(np.rint(matrix / safe[:, None]), -127, 127)
    return rounded.astype(np.int8), scale


def layout(shape: Shape) -> list[tuple[str, np.dtype, tuple[int, ...]]]:
    """Name, type and shape of every tensor, in file order."""
    f32, i8 = np.dtype("<f4"), np.dtype("i1")

    def linear(name: str, rows: int, columns: int) -> list[tuple[str, np.dtype, tuple[int, ...]]]:
        return [(name, i8, (rows, columns)), (name + "_scale", f32, (rows,)), (name + "_bias", f32, (rows,))]

    d = shape.dim
    order = [("emb", i8, (shape.buckets, d)), ("emb_scale", f32, (shape.buckets,)), ("pos", f32, (shape.max_words, d))]
    for i in range(shape.layers):
        p = f"{i}."
        order += [(p + "ln1_g", f32, (d,)), (p + "ln1_b", f32, (d,))]
        order += linear(p + "wqkv", 3 * d, d) + linear(p + "wo", d, d)
        order += [(p + "ln2_g", f32, (d,)), (p + "ln2_b", f32, (d,))]
        order += linear(p + "w1", shape.ffn, d) + linear(p + "w2", d, shape.ffn)
    order += [("lnf_g", f32, (d,)), ("lnf_b", f32, (d,)), ("pool_q", f32, (d,))]
    return order + linear("wout", shape.out, d)


def checksum(payload: bytes) -> int:
    """FNV-1a over 8-byte little-endian words."""
    h = 14695981039346656037
    for word in np.frombuffer(payload, "<u8").tolist():
        h = ((h ^ word) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return h


def write(path: Path, shape: Shape, tensors: Tensors) -> int:
    body = bytearray()
    for name, dtype, dims in layout(shape):
        body += bytes(-(HEADER_BYTES + len(body)) % 64)
        value = np.ascontiguousarray(tensors[name], dtype)
        assert value.shape == dims, (name, value.shape, dims)
        body += value.tobytes()
    body += bytes(-len(body) % 8)
    numbers = (HEADER_BYTES, shape.buckets, shape.dim, shape.layers, shape.heads, shape.ffn, shape.out,
               shape.max_words, shape.max_features)
    header = MAGIC + struct.pack("<9IQQ", *numbers, len(body), checksum(bytes(body)))
    data = header.ljust(HEADER_BYTES, b"\0") + body
    assert len(data) <= MAX_BYTES, len(data)
    path.write_bytes(data)
    return len(data)


def read(path: Path) -> tuple[Shape, Tensors]:
    data = path.read_bytes()
    assert data[:8] == MAGIC, "not an encoder file of this version"
    numbers = struct.unpack_from("<9IQQ", data, 8)
    shape = Shape(*numbers[1:9])
    payload = data[HEADER_BYTES:]
    assert len(payload) == numbers[9] and checksum(payload) == numbers[10], "damaged encoder file"
    tensors: Tensors = {}
    at = HEADER_BYTES
    for name, dtype, dims in layout(shape):
        at += -at % 64
        count = int(np.prod(dims))
        tensors[name] = np.frombuffer(data, dtype, count, at).reshape(dims)
        at += count * dtype.itemsize
    return shape, tensors
