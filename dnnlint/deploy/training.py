"""Which commands and containers train a network, and whether they want a GPU for it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from dnnlint.deploy.model import Command, DeployFile, Workload

_TRAINS = re.compile(r"(?<![a-z])(?:pre)?train(?:ing|er)?(?![a-z])|fine[-_]?tun(?:e|ing)(?![a-z])")
_ELSE = re.compile(r"(?<![a-z])(?:infer\w*|eval\w*|serv(?:e|er|ing)|generat\w*|test|predict\w*|demo|export)(?![a-z])")
_PROCESSES = re.compile(r"--(?:nproc[-_]per[-_]node|num_gpus)[= ](\d+)(?!\S)")
_PYTHON = re.compile(r"^(?:.*/)?python[\d.]*$")
_WRAPPERS = frozenset("srun exec nohup time sudo env nice numactl stdbuf nsys ncu timeout xvfb-run tini --".split())
_LAUNCHERS = frozenset(("torchrun", "deepspeed", "horovodrun", "colossalai", "composer"))
_MODULES = frozenset(("torch.distributed.run", "torch.distributed.launch", "accelerate.commands.launch", "deepspeed"))
# The official images of PyTorch hold CUDA; what an own image with such a name holds is not known.
_GPU_IMAGE = re.compile(r"cuda|nvidia|(?:^|^docker\.io/)(?:pytorch/)?pytorch(?:[:@]|$)|[-_:.]gpu(?![a-z])|rocm")
_SEVERAL = re.compile(r"--(?:nproc[-_]per[-_]node|num[-_]processes)[= ](?:[2-9]|\d\d|gpu|auto)")
_CPU = re.compile(r"(?<![a-z0-9])(cpu|gloo|mps|tpu|xla|neuron|hpu|xpu|no[-_]cuda|fake|dummy)(?![a-z])")
_GPU_WORDS = re.compile(r"(?<![a-z])(cuda|gpus?|nccl)(?![a-z])")


class Launch(NamedTuple):
    """A command that starts training."""

    command: Command
    script: str
    """The path of the script, or the name of the module; empty when it cannot be told."""
    launcher: str
    """``torchrun``, ``accelerate`` ...; empty for plain Python."""


def launches(commands: Iterable[Command]) -> list[Launch]:
    """The commands that start training."""
    return [launch for command in commands if (launch := launch_of(command)) is not None]


def launch_of(command: Command) -> Launch | None:
    """How a command starts training; None for all others."""
    words = _unwrapped(list(command.texts))
    launcher = ""
    if not words:
        return None
    program = words[0].rpartition("/")[2]
    if program in _LAUNCHERS or words[:2] == ["accelerate", "launch"]:
        launcher = program
    elif _PYTHON.match(words[0]) and "-m" in words[:4] and _module(words) in _MODULES:
        launcher = "torchrun"
    elif not _PYTHON.match(words[0]):
        return None
    script = _script(words)
    if launcher:
        return None if _ELSE.search(script.lower()) else Launch(command, script, launcher)
    lowered = script.rpartition("/")[2].lower()
    return Launch(command, script, "") if _TRAINS.search(lowered) and not _ELSE.search(lowered) else None


def python_script(command: Command) -> str:
    """The script or module that a command gives to Python or a launcher; empty for other commands."""
    words = _unwrapped(list(command.texts))
    if not words:
        return ""
    is_launcher = words[0].rpartition("/")[2] in _LAUNCHERS or words[:2] == ["accelerate", "launch"]
    return _script(words) if is_launcher or _PYTHON.match(words[0]) else ""


def processes_per_node(command: Command) -> int:
    """How many processes a launcher starts on each node, one a GPU; 0 when the command does not say."""
    match = _PROCESSES.search(" ".join(command.texts))
    return int(match.group(1)) if match is not None and launch_of(command) is not None else 0


def _unwrapped(words: list[str]) -> list[str]:
    """A command without what runs it: ``srun --gpus 4``, ``uv run``, ``conda run -n env``."""
    while words:
        name = words[0].rpartition("/")[2]
        if name in _WRAPPERS:
            words = words[1:]
            while words and (words[0].startswith("-") or "=" in words[0] or words[0].isdigit()):
                words = words[1:]
        elif words[:2] in (["uv", "run"], ["poetry", "run"], ["pipenv", "run"], ["pdm", "run"], ["pixi", "run"]):
            words = words[2:]
        elif name in ("conda", "mamba", "micromamba") and words[1:2] == ["run"]:
            start = next((i for i, word in enumerate(words) if _PYTHON.match(word) or word in _LAUNCHERS), len(words))
            words = words[start:]
        else:
            return words
    return words


def _module(words: list[str]) -> str:
    index = words.index("-m")
    return words[index + 1] if index + 1 < len(words) else ""


def _script(words: list[str]) -> str:
    script = next((word for word in words[1:] if word.endswith(".py")), "")
    if not script and "-m" in words[1:]:
        modules = [words[i + 1] for i, word in enumerate(words[:-1]) if word == "-m"]
        script = next((module for module in reversed(modules) if module not in _MODULES), "")
    return script


def is_training(workload: Workload) -> bool:
    """Whether a container trains: by its command, or without one by the names of it and of what holds it."""
    if workload.role.lower() in ("launcher", "ps", "evaluator"):
        return False
    if launches(workload.script.commands):
        return True
    scripts = [script for command in workload.script.commands if (script := python_script(command))]
    if any(_ELSE.search(script.lower()) for script in scripts):
        return False
    if scripts:
        names = f"{workload.name} {workload.labels}".lower()
    elif workload.script.commands:
        return False
    else:
        image = workload.image.repository.rpartition("/")[2] if workload.image else ""
        names = f"{workload.name} {workload.labels} {image}".lower()
    return _TRAINS.search(names) is not None and _ELSE.search(names) is None


def has_other_device(workload: Workload) -> bool:
    """Whether the command, the image or the variables of a container name a CPU or an accelerator that is no GPU."""
    texts = [text.lower() for command in workload.script.commands for text in command.texts]
    image = workload.image.reference.lower() if workload.image else ""
    if workload.variables.get("CUDA_VISIBLE_DEVICES") in ("", "-1"):
        return True
    return any(_CPU.search(text) for text in (*texts, image))


def wants_gpu(workload: Workload, file: DeployFile) -> bool:
    """Whether a training container is made for a GPU: by its image, its variables, or its command; never for a CPU."""
    texts = [text.lower() for command in workload.script.commands for text in command.texts]
    image = workload.image.reference.lower() if workload.image else ""
    visible = workload.variables.get("CUDA_VISIBLE_DEVICES")
    if has_other_device(workload):
        return False
    if visible is not None or workload.gpu_names or _GPU_IMAGE.search(image):
        return True
    if not image or workload.spec.get("build") is not None:
        base = file.neighbours.get("Dockerfile", b"").decode("utf-8", "replace").lower()
        final = [line.split()[1:] for line in base.splitlines() if line.strip().startswith("from ")]
        if any(_GPU_IMAGE.search(word) for words in final for word in words) and not _CPU.search(base):
            return True
    if any(_GPU_WORDS.search(text) for text in texts):
        return True
    started = launches(workload.script.commands)
    return any(launch.launcher == "deepspeed" or _SEVERAL.search(" ".join(launch.command.texts)) for launch in started)
