"""Run the work of the child process inside the test process, and put back what it replaces for good."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dnnlint.estimators import Estimate, EstimateOptions, request

Run = Callable[..., Estimate]


@pytest.fixture
def estimate_here(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function from a target and options to an estimate, without the child process."""
    torch = pytest.importorskip("torch", reason="an estimate needs PyTorch")
    pytest.importorskip("fvcore", reason="an estimate needs fvcore")
    from dnnlint.estimators import session

    keep = [(argparse.ArgumentParser, "parse_known_args"), (torch, "load"), (torch, "save")]
    keep += [(torch.hub, "load_state_dict_from_url"), (torch.nn.Module, "load_state_dict")]
    keep += [(torch.optim.Optimizer, "load_state_dict"), (sys, "argv")]
    keep += [(torch.nn.init, name) for name in dir(torch.nn.init) if name.endswith("_") and not name.startswith("_")]
    later = {
        "torchvision.models._api": "load_state_dict_from_url",
        "timm.models._builder": "load_pretrained",
        "transformers.modeling_utils": "PreTrainedModel.from_pretrained",
    }
    for module, path in later.items():
        if module in sys.modules:
            *owners, name = path.split(".")
            keep.append((getattr(sys.modules[module], *owners) if owners else sys.modules[module], name))
    for owner, name in keep:
        monkeypatch.setattr(owner, name, getattr(owner, name))
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(session, "keep_compiler_away", lambda: None)
    before = set(sys.modules)

    def run(target: str | Path, **options: object) -> Estimate:
        order = request.to_json(str(target), EstimateOptions(**options))  # type: ignore[arg-type]
        try:
            return Estimate.from_json({**session.work(order, lambda stage: None), "sandbox": {}})
        finally:
            for name in set(sys.modules) - before:
                if name.startswith(("local_", "__dnnlint")):
                    del sys.modules[name]

    return run


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a source file and gives its path."""

    def write_file(source: str, name: str = "train.py") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
        return path

    return write_file
