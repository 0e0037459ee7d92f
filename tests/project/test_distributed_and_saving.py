"""Rules about distributed training, checkpoints and losses, in programs over several files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.project.test_linking import check, places, write

STEP = """\
import torch
from torch import nn

class Loop:
    def __init__(self, net, optim, batches):
        self.net = net
        self.optim = optim
        self.batches = batches

    def before(self, turn):
        pass

    def after(self, turn):
        pass

    def run(self, turns):
        for turn in range(turns):
            self.before(turn)
            for sample in self.batches:
                self.optim.zero_grad()
                self.net(sample).mean().backward()
                self.optim.step()
            self.after(turn)
"""
CHILD = """\
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler
from loop import Loop

class Spread(Loop):
    def __init__(self, data, rank):
        dist.init_process_group("nccl")
        self.order = DistributedSampler(data)
        net = DistributedDataParallel(torch.nn.Linear(4, 4).cuda(rank), device_ids=[rank])
        super().__init__(net, torch.optim.SGD(net.parameters(), 0.1), DataLoader(data, 8, sampler=self.order))

    def {hook}(self, turn):
        {body}

if __name__ == "__main__":
    Spread(range(99), 0).run(9)
"""
LAUNCH = """\
import subprocess, sys

class Job:
    def starter(self):
        raise NotImplementedError

    def go(self, script):
        return subprocess.call(" ".join([self.starter(), script]), shell=True)

class Many(Job):
    def starter(self):
        return f"{{sys.executable}} -m {module} --nproc_per_node={{4}}"
"""
PARTS = """\
from torch import nn

def stage(wide):
    return nn.Sequential(nn.Conv2d(3, wide, 3), nn.{norm})

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = stage(8)

    def forward(self, x):
        return self.first(x)
"""
WRAPPED = """\
import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from parts import Net

def main(data, rank):
    net = DistributedDataParallel(Net().cuda(rank), device_ids=[rank])
    optim = torch.optim.SGD(net.parameters(), 0.1)
    for x in DataLoader(data, batch_size={size}):
        optim.zero_grad()
        net(x).mean().backward()
        optim.step()

main(range(9), 0)
"""
FITTED = """\
import lightning
import torch
from torch.utils.data import DataLoader
from parts import Net

class Task(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = Net()

def batches(**how):
    return DataLoader(range(9), **how)

lightning.Trainer(strategy="{strategy}", devices=4{switch}).fit(Task(), batches(batch_size=2))
"""
KEEPER = """\
import torch

class Keeper:
    def __call__(self, step, net):
        content = {{"step": step, "net": {content}}}
        torch.save(content, "last.pt")
"""
KEPT = """\
import torch
from keeper import Keeper

net = torch.nn.Linear(4, 4)
optim = torch.optim.SGD(net.parameters(), 0.1)
keep = Keeper()
for step in range(9):
    optim.zero_grad()
    net(torch.rand(4)).mean().backward()
    optim.step()
    keep(step, net)
"""
COST = """\
from torch import nn

class Weighted(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.{loss}()

    def forward(self, scores, labels):
        return 0.5 * self.inner(scores, labels)
"""
COSTED = """\
import torch
from cost import Weighted

net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 1))
measure = Weighted()
for x, y in torch.utils.data.DataLoader(range(9)):
    scores = net(x)
    measure(scores, y).backward()
"""
LOADED = """\
import torch

def back(net, path):
    net.load_state_dict(torch.load(path{more})["net"])
"""
GROUP = """\
import torch.distributed as dist

def begin():
    dist.init_process_group("gloo")

def end():
    {end}
"""
GROUPED = """\
import torch
from group import begin, end

if __name__ == "__main__":
    begin()
    net = torch.nn.Linear(4, 4)
    optim = torch.optim.SGD(net.parameters(), 0.1)
    net(torch.rand(4)).mean().backward()
    optim.step()
    end()
"""
DDP = "torch.nn.parallel.DistributedDataParallel"
OPTIONS = f"""\
import torch

class Part:
    def __init__(self, handlers):
        self.choice = None
        for name, value in handlers.items():
            setattr(self, name, value)

    def wrap(self, net):
        how = self.choice.options() if self.choice is not None else {{}}
        return {DDP}(net, **how)
"""

PLAIN = """\
import torch
from loop import Loop

class Plain(Loop):
    def after(self, turn):
        {after}

net = torch.nn.Linear(4, 4).cuda()
Plain(net, torch.optim.SGD(net.parameters(), 0.1), torch.utils.data.DataLoader(range(9))).run(9)
"""
SAVES = 'torch.save(self.net.state_dict(), "a.pt")'

CASES = {
    "nothing saved by a subclass": ("DNN701", {"loop.py": STEP, "main.py": PLAIN.format(after="pass")}, 1),
    "saved by a subclass": ("DNN701", {"loop.py": STEP, "main.py": PLAIN.format(after=SAVES)}, 0),
    "memory never read": ("DNN802", {"loop.py": STEP, "main.py": PLAIN.format(after=SAVES)}, 1),
    "memory read by a subclass": (
        "DNN802",
        {"loop.py": STEP, "main.py": PLAIN.format(after="print(torch.cuda.max_memory_allocated())")},
        0,
    ),
    "set_epoch: hook of a subclass": (
        "DNN603",
        {"loop.py": STEP, "main.py": CHILD.format(hook="after", body="pass")},
        1,
    ),
    "set_epoch: told in the hook": (
        "DNN603",
        {"loop.py": STEP, "main.py": CHILD.format(hook="before", body="self.order.set_epoch(turn)")},
        0,
    ),
    "saves: overridden hook": (
        "DNN605",
        {"loop.py": STEP, "main.py": CHILD.format(hook="after", body='torch.save(self.net.state_dict(), "a.pt")')},
        1,
    ),
    "saves: overridden hook with a guard": (
        "DNN605",
        {
            "loop.py": STEP,
            "main.py": CHILD.format(
                hook="after",
                body="dist.get_rank() == 0 and print()\n        if dist.get_rank() == 0:\n"
                '            torch.save(self.net.state_dict(), "a.pt")',
            ),
        },
        0,
    ),
    "launch: overridden method": ("DNN604", {"job.py": LAUNCH.format(module="torch.distributed.launch")}, 1),
    "launch: torchrun's module": ("DNN604", {"job.py": LAUNCH.format(module="torch.distributed.run")}, 0),
    "batch norm: made by a function": (
        "DNN607",
        {"parts.py": PARTS.format(norm="BatchNorm2d(wide)"), "main.py": WRAPPED.format(size=2)},
        1,
    ),
    "batch norm: large batch": (
        "DNN607",
        {"parts.py": PARTS.format(norm="BatchNorm2d(wide)"), "main.py": WRAPPED.format(size=64)},
        0,
    ),
    "batch norm: other layers": (
        "DNN607",
        {"parts.py": PARTS.format(norm="GroupNorm(4, wide)"), "main.py": WRAPPED.format(size=2)},
        0,
    ),
    "batch norm: Lightning": (
        "DNN607",
        {"parts.py": PARTS.format(norm="BatchNorm2d(wide)"), "main.py": FITTED.format(strategy="ddp", switch="")},
        1,
    ),
    "batch norm: Lightning synchronises": (
        "DNN607",
        {
            "parts.py": PARTS.format(norm="BatchNorm2d(wide)"),
            "main.py": FITTED.format(strategy="ddp", switch=", sync_batchnorm=True"),
        },
        0,
    ),
    "batch norm: Lightning on one GPU": (
        "DNN607",
        {"parts.py": PARTS.format(norm="BatchNorm2d(wide)"), "main.py": FITTED.format(strategy="auto", switch="")},
        0,
    ),
    "model object in a checkpoint": ("DNN706", {"keeper.py": KEEPER.format(content="net"), "main.py": KEPT}, 1),
    "state in a checkpoint": ("DNN706", {"keeper.py": KEEPER.format(content="net.state_dict()"), "main.py": KEPT}, 0),
    "logits to BCELoss": ("DNN804", {"cost.py": COST.format(loss="BCELoss"), "main.py": COSTED}, 1),
    "logits to BCEWithLogitsLoss": ("DNN804", {"cost.py": COST.format(loss="BCEWithLogitsLoss"), "main.py": COSTED}, 0),
    "old requirement": ("DNN705", {"requirements.txt": "torch==2.3.1\n", "lib/back.py": LOADED.format(more="")}, 1),
    "old requirement, argument given": (
        "DNN705",
        {"requirements.txt": "torch==2.3.1\n", "back.py": LOADED.format(more=", weights_only=True")},
        0,
    ),
    "requirement without the argument": (
        "DNN705",
        {"requirements.txt": "torch==1.7.1\n", "back.py": LOADED.format(more="")},
        0,
    ),
    "nearer requirement": (
        "DNN705",
        {
            "requirements.txt": "torch==2.3.1\n",
            "lib/requirements.txt": "torch>=2.6\n",
            "lib/back.py": LOADED.format(more=""),
        },
        0,
    ),
    "process group never destroyed": ("DNN608", {"group.py": GROUP.format(end="pass"), "main.py": GROUPED}, 1),
    "process group destroyed by a helper": (
        "DNN608",
        {"group.py": GROUP.format(end="dist.destroy_process_group()"), "main.py": GROUPED},
        0,
    ),
    "options set by name": ("DNN610", {"part.py": OPTIONS}, 0),
}


@pytest.mark.parametrize(("code", "files", "count"), CASES.values(), ids=CASES)
def test_program_over_several_files(code: str, files: dict[str, str], count: int, tmp_path: Path) -> None:
    """The fault is reported once, in whichever file it stands, and its corrected twin is clean."""
    names = write(tmp_path, files)
    assert len(places(check(tmp_path, code, names))) == count


SHARED = "import torch\n\ndef data():\n    return torch.utils.data.TensorDataset(torch.rand(9, 4))\n"
ALONE = """\
import torch
from shared import data

net = torch.nn.Linear(4, 4)
optim = torch.optim.SGD(net.parameters(), 0.1)
for (x,) in torch.utils.data.DataLoader(data(), 4, shuffle=True):
    optim.zero_grad()
    net(x).mean().backward()
    optim.step()
torch.save(net.state_dict(), "a.pt")
"""
TOGETHER = """\
import torch
import torch.distributed as dist
from shared import data

dist.init_process_group("nccl")
net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 4))
optim = torch.optim.SGD(net.parameters(), 0.1)
for (x,) in torch.utils.data.DataLoader(data(), 4, shuffle=True):
    optim.zero_grad()
    net(x).mean().backward()
    optim.step()
torch.save(net.state_dict(), "a.pt")
"""


@pytest.mark.parametrize("code", ["DNN602", "DNN605"])
def test_script_beside_a_distributed_one(code: str, tmp_path: Path) -> None:
    """Scripts that share a module do not share what they do."""
    names = write(tmp_path, {"shared.py": SHARED, "alone.py": ALONE, "together.py": TOGETHER})
    assert {path for path, _ in places(check(tmp_path, code, names))} == {"together.py"}
