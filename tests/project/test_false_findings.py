"""Structures of published code that were reported once and must stay silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.project.test_linking import check, write

TOKENS = """\
import torch
from transformers import {maker}

def collect(texts, tool):
    kept = []
    for text in texts:
        out = tool(text)
        kept.append(out["{part}"])
    return kept

tool = {maker}.from_pretrained("name")
{mode}
collect(["a"], tool)
"""
CAST = """\
import typing
import torch

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda")
for images in loader:
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(images).mean()
    typing.cast(torch.Tensor, scaler.scale(loss)).backward()
    scaler.step(optimizer)
    scaler.update()
"""
ENCODER = """\
import torch

class Encoder(torch.nn.Module):
    def __init__(self{parameter}):
        super().__init__()
        {layer}

    def forward(self, text):
        {body}

encoder = Encoder({given})
encoder.eval()
kept = []
for text in ["a", "b"]:
    kept.append(encoder(text))
"""
TEXT_ENCODER = ENCODER.format(parameter="", layer="self.start = 256", body="return torch.tensor(list(text))", given="")
ENGINE = """\
import deepspeed
import torch

def test(model, loader):
    model.eval()
    with torch.no_grad():
        for batch in loader:
            model(batch)

model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Dropout())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
engine, optimizer, _, _ = deepspeed.initialize(model=model, optimizer=optimizer, config="ds.json")
for epoch in range(3):
    for batch in loader:
        {switch}
        output = model(batch)
        engine.backward(output.mean())
        engine.step()
    test(model, loader)
"""
CASES = {
    "encoder without layers": ("DNN501", TEXT_ENCODER),
    "mode of an engine": ("DNN508", ENGINE.format(switch="engine.train()")),
    "tokenizer": ("DNN501", TOKENS.format(maker="AutoTokenizer", part="input_ids", mode="")),
    "processor": ("DNN501", TOKENS.format(maker="AutoProcessor", part="pixel_values", mode="")),
    "cast of a scaled loss": ("DNN101", CAST),
    "cast, then a whole scaler": ("DNN102", CAST),
}


@pytest.mark.parametrize(("code", "source"), CASES.values(), ids=CASES)
def test_is_silent(code: str, source: str, tmp_path: Path) -> None:
    """Nothing is reported."""
    assert check(tmp_path, code, write(tmp_path, {"train.py": source})).findings == ()


def test_network_of_a_library_is_still_one(tmp_path: Path) -> None:
    """What ``AutoModel.from_pretrained`` makes records a graph."""
    source = TOKENS.format(maker="AutoModel", part="last_hidden_state", mode="tool.eval()")
    assert len(check(tmp_path, "DNN501", write(tmp_path, {"train.py": source})).findings) == 1


@pytest.mark.parametrize(
    ("parameter", "layer", "given"),
    [("", "self.net = torch.nn.Linear(2, 2)", ""), (", net", "self.net = net", "torch.nn.Linear(2, 2)")],
    ids=["made", "given"],
)
def test_network_with_layers_is_still_one(parameter: str, layer: str, given: str, tmp_path: Path) -> None:
    """Also one that got its layers from outside."""
    source = ENCODER.format(parameter=parameter, layer=layer, body="return self.net(text)", given=given)
    assert len(check(tmp_path, "DNN501", write(tmp_path, {"train.py": source})).findings) == 1


def test_engine_that_is_not_switched(tmp_path: Path) -> None:
    """Without the switch the network stays in evaluation mode from the second epoch on."""
    names = write(tmp_path, {"train.py": ENGINE.format(switch="pass")})
    assert len(check(tmp_path, "DNN508", names).findings) == 1
