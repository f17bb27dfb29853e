"""The teacher, bge-small-en-v1.5, in PyTorch: unit vectors of the first token.

    python teacher.py --weights .carry/teacher.xz --cache /dev/shm/cache --name raw
"""

from __future__ import annotations

import argparse
import lzma
import pickle
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

LAYERS, HEADS, DIM = 12, 12, 384
MAX_TOKENS = 64


def load(path: Path, device: str, dtype: torch.dtype) -> dict[str, torch.Tensor]:
    """From the packed 8-bit rows, or from tune.py's weights."""
    if path.suffix == ".pt":
        return {name: value.to(device, dtype) for name, value in torch.load(path).items()}
    with lzma.open(path) as f:
        packed = pickle.load(f)
    weights = {}
    for name, value in packed.items():
        if isinstance(value, tuple):
            value = value[0].astype(np.float32) * value[1]
        weights[name] = torch.from_numpy(value).to(device, dtype)
    return weights


def forward(w: dict[str, torch.Tensor], ids: torch.Tensor) -> torch.Tensor:
    """`ids` holds one text a row, padded with 0."""
    batch, length = ids.shape
    mask = (ids != 0)[:, None, None, :]
    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:length]
    x = x + w["embeddings.token_type_embeddings.weight"][0]

    def norm(x: torch.Tensor, name: str) -> torch.Tensor:
        return F.layer_norm(x, (DIM,), w[name + ".weight"], w[name + ".bias"], 1e-12)

    def linear(x: torch.Tensor, name: str) -> torch.Tensor:
        return F.linear(x, w[name + ".weight"], w[name + ".bias"])

    x = norm(x, "embeddings.LayerNorm")
    for layer in range(LAYERS):
        p = f"encoder.layer.{layer}."
        q, k, v = (linear(x, f"{p}attention.self.{n}").view(batch, length, HEADS, -1).transpose(1, 2)
                   for n in ("query", "key", "value"))
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        a = a.transpose(1, 2).reshape(batch, length, DIM)
        x = norm(x + linear(a, p + "attention.output.dense"), p + "attention.output.LayerNorm")
        h = linear(F.gelu(linear(x, p + "intermediate.dense")), p + "output.dense")
        x = norm(x + h, p + "output.LayerNorm")
    return F.normalize(x[:, 0].float(), dim=-1)


@torch.no_grad()
def encode(w: dict[str, torch.Tensor], ids: np.ndarray, device: str, batch: int = 8192) -> torch.Tensor:
    """Vectors (half precision, on the device) of padded token rows, in their order."""
    lengths = (ids != 0).sum(1)
    order = np.argsort(lengths, kind="stable")
    out = torch.empty(len(ids), DIM, dtype=torch.float16, device=device)
    for start in range(0, len(ids), batch):
        rows = order[start:start + batch]
        width = int(lengths[rows].max())
        tokens = torch.from_numpy(ids[rows, :width].astype(np.int64)).to(device)
        out[torch.from_numpy(rows).to(device)] = forward(w, tokens).half()
    return out


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--name", required=True)
    args = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    weights = load(args.weights, device, torch.bfloat16 if device == "cuda" else torch.float32)
    tokens = np.load(args.cache / "tokens.npy")
    np.save(args.cache / f"targets_{args.name}.npy", encode(weights, tokens, device).cpu().numpy())
    print("targets", args.name, len(tokens), flush=True)


if __name__ == "__main__":
    main()
