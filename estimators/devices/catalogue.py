"""Look up a GPU by the names people use for it."""

from __future__ import annotations

import difflib
import functools
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

from dnnlint.estimators.errors import OptionError

MIB = 2**20
_DATA = Path(__file__).with_name("catalogue.json")
_NOISE = re.compile(r"\b(nvidia|geforce|tesla|quadro|gpu|graphics|generation|edition|workstation)\b")


class GpuError(OptionError):
    """No GPU of the catalogue has this name."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the CUDA context takes of the device, outside PyTorch's allocator."""

    low_bytes: int
    high_bytes: int
    source: str

    @property
    def is_measured(self) -> bool:
        """True for a figure read on this very GPU, False for the range over all measured ones."""
        return self.low_bytes == self.high_bytes


@dataclass(frozen=True, slots=True)
class Gpu:
    """One entry of the catalogue; ``memory_bytes`` is ``torch.cuda.get_device_properties().total_memory``."""

    name: str
    aliases: tuple[str, ...]
    memory_bytes: int
    compute_capability: tuple[int, int]
    multiprocessors: int
    context: Context
    source: str
    date: str


@functools.cache
def all_gpus() -> tuple[Gpu, ...]:
    """Read the catalogue."""
    data = json.loads(_DATA.read_text(encoding="utf-8"))
    unknown = data["unmeasured_context"]
    default = Context(unknown["low_mib"] * MIB, unknown["high_mib"] * MIB, unknown["source"])
    return tuple(_read(entry, default) for entry in data["gpus"])


def _read(entry: dict[str, object], unmeasured: Context) -> Gpu:
    major, minor = str(entry["compute_capability"]).split(".")
    aliases = entry["aliases"]
    assert isinstance(aliases, list)
    context = unmeasured
    if "context_mib" in entry:
        size = int(str(entry["context_mib"])) * MIB
        context = Context(size, size, str(entry["context_source"]))
    return Gpu(
        name=str(entry["name"]),
        aliases=tuple(str(alias) for alias in aliases),
        memory_bytes=int(str(entry["memory_mib"])) * MIB,
        compute_capability=(int(major), int(minor)),
        multiprocessors=int(str(entry["multiprocessors"])),
        context=context,
        source=str(entry["source"]),
        date=str(entry["date"]),
    )


def _key(name: str) -> str:
    """Reduce a name to what tells GPUs apart: ``NVIDIA GeForce RTX 3090`` and ``rtx-3090`` are both ``rtx3090``."""
    return re.sub(r"[^a-z0-9]", "", _NOISE.sub("", re.sub(r"[-_/]", " ", name.lower())))


def find_gpu(name: str) -> Gpu:
    """Return the GPU with this name or alias, whatever its case, punctuation and vendor words."""
    wanted = _key(name)
    names = {_key(label): gpu for gpu in all_gpus() for label in (gpu.name, *gpu.aliases)}
    if wanted in names:
        return names[wanted]
    longer = sorted({gpu.name for key, gpu in names.items() if wanted and wanted in key})
    if len(longer) > 1:
        raise GpuError(f"'{name}' fits several GPUs.", f"Name one of {', '.join(longer)}.")
    near = [names[key].name for key in difflib.get_close_matches(wanted, names, n=5, cutoff=0.1)]
    near = longer or list(dict.fromkeys(near)) or ["Tesla T4", "GeForce RTX 4090", "A100-SXM4-80GB", "H100 80GB HBM3"]
    raise GpuError(
        f"The catalogue holds no GPU '{name}'.",
        f"Nearest of {len(all_gpus())}: {', '.join(near)}. For another one give --gpu-memory SIZE.",
    )


def custom_gpu(memory_bytes: int, base: Gpu | None = None) -> Gpu:
    """Return a GPU of this capacity; the rest is taken from ``base``, or from an A100 when there is none."""
    model = base or find_gpu("a100-80gb")
    return replace(
        model,
        name=f"{base.name} with another capacity" if base else "unnamed GPU",
        aliases=(),
        memory_bytes=memory_bytes,
        source="--gpu-memory",
        date="",
    )
