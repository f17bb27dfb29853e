"""The student: hashed word features, a small pre-norm transformer, attention pooling."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from text import BUCKETS, MAX_WORDS

DIM, LAYERS, HEADS, FFN, OUT = 256, 3, 4, 512, 384


class Layer(nn.Module):
    def __init__(self, dim: int, ffn: int) -> None:
        super().__init__()
        self.ln1 = nn.LayerNorm(dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.wo = nn.Linear(dim, dim)
        self.ln2 = nn.LayerNorm(dim)
        self.w1 = nn.Linear(dim, ffn)
        self.w2 = nn.Linear(ffn, dim)

    def forward(self, x: torch.Tensor, mask: torch.Tensor, heads: int) -> torch.Tensor:
        batch, length, dim = x.shape
        q, k, v = self.qkv(self.ln1(x)).view(batch, length, 3, heads, dim // heads).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = x + self.wo(a.transpose(1, 2).reshape(batch, length, dim))
        return x + self.w2(F.relu(self.w1(self.ln2(x))))


class Encoder(nn.Module):
    def __init__(self, buckets: int = BUCKETS, dim: int = DIM, layers: int = LAYERS, heads: int = HEADS,
                 ffn: int = FFN, out: int = OUT, max_words: int = MAX_WORDS) -> None:
        super().__init__()
        self.dim, self.heads, self.buckets = dim, heads, buckets
        # The last row stands for "no feature" and stays zero.
        self.emb = nn.Embedding(buckets + 1, dim, padding_idx=buckets)
        nn.init.normal_(self.emb.weight, std=0.5)
        with torch.no_grad():
            self.emb.weight[buckets].zero_()
        self.pos = nn.Parameter(torch.randn(max_words, dim) * 0.02)
        self.layers = nn.ModuleList(Layer(dim, ffn) for _ in range(layers))
        for layer in self.layers:
            for scaled in (layer.wo, layer.w2):
                nn.init.normal_(scaled.weight, std=0.5 / math.sqrt(scaled.in_features * layers))
        self.lnf = nn.LayerNorm(dim)
        self.pool = nn.Parameter(torch.zeros(dim))
        self.wout = nn.Linear(dim, out)

    def word_vectors(self, features: torch.Tensor) -> torch.Tensor:
        """[words, max_features] bucket ids, padded with `buckets`."""
        count = (features != self.buckets).sum(1, keepdim=True).clamp(min=1)
        total = F.embedding_bag(features, self.emb.weight, mode="sum", padding_idx=self.buckets)
        return total * count.rsqrt()

    def forward(self, table: torch.Tensor, words: torch.Tensor, drop: float = 0.0,
                drop_word: float = 0.0) -> torch.Tensor:
        """`words` [batch, length] are rows of the feature `table`; row 0 is padding."""
        x, mask = self.embed(table, words, drop, drop_word)
        return self.above(x, mask)

    def embed(self, table: torch.Tensor, words: torch.Tensor, drop: float,
              drop_word: float) -> tuple[torch.Tensor, torch.Tensor]:
        used, inverse = torch.unique(words, return_inverse=True)
        vectors = self.word_vectors(table[used].long())
        mask = words != 0
        if drop_word > 0:
            lost = (torch.rand(words.shape, device=words.device) < drop_word) & (mask.sum(1, keepdim=True) > 3)
            lost[:, 0] = False
            mask = mask & ~lost
        return F.dropout(F.embedding(inverse, vectors), drop, self.training), mask

    def above(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """From the words' vectors to the unit vector of the text."""
        x = x + self.pos[:x.shape[1]]
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :], self.heads)
        x = self.lnf(x)
        score = (x.float() @ self.pool) / math.sqrt(self.dim)
        weight = score.masked_fill(~mask, -1e4).softmax(1)
        pooled = (weight.unsqueeze(2).to(x.dtype) * x).sum(1)
        return F.normalize(self.wout(pooled).float(), dim=-1)
