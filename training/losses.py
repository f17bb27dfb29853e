"""What both the teacher's tuning and the student's training minimise, and how they speak."""

from __future__ import annotations

import time

import torch
import torch.nn.functional as F

BEGAN = time.monotonic()
GROUP = 4096  # similarities are compared within groups of this many rows


def say(*parts: object) -> None:
    print(f"[{time.monotonic() - BEGAN:6.1f}s]", *parts, flush=True)


def distil_loss(z: torch.Tensor, target: torch.Tensor, temperature: float = 0.05) -> torch.Tensor:
    """Near the target, and as near to each other as the targets are."""
    cosine = (z * target).sum(1).mean()
    size = min(GROUP, len(z))
    z, target = (t.view(-1, size, t.shape[1]) for t in (z, target))
    own = torch.eye(size, dtype=torch.bool, device=z.device)
    wanted = (target @ target.transpose(1, 2) / temperature).masked_fill(own, -1e4).log_softmax(2)
    got = (z @ z.transpose(1, 2) / temperature).masked_fill(own, -1e4).log_softmax(2)
    apart = (wanted.exp() * (wanted - got)).sum() / (len(z) * size)
    return 5 * (1 - cosine) + apart


def head_loss(z: torch.Tensor, weight: torch.Tensor, labels: torch.Tensor, target: torch.Tensor | None = None,
              soft: float = 0.0, scale: float = 20.0) -> torch.Tensor:
    """Cosine softmax; a row with several labels wants them all alike. `soft` of the loss comes from what the head makes of
    the teacher's vector, where there is one (a row of zeros: none)."""
    centres = F.normalize(weight, dim=-1).T
    logits = (z @ centres * scale).log_softmax(1)
    real = labels >= 0
    picked = logits.gather(1, labels.clamp(min=0)).masked_fill(~real, 0).sum(1) / real.sum(1)
    loss = -(0.95 * picked + 0.05 * logits.mean(1))
    if target is not None and soft > 0:
        wanted = (target @ centres.detach() * scale).softmax(1)
        share = soft * (target != 0).any(1).float()
        loss = (1 - share) * loss - share * (wanted * logits).sum(1)
    return loss.mean()
