"""The caching allocator: its options, its blocks, and the replay of a trace; needs no PyTorch."""

from dnnlint.estimators.allocator.caching import CachingAllocator
from dnnlint.estimators.allocator.config import AllocatorConfig, AllocConfError, parse_alloc_conf
from dnnlint.estimators.allocator.replay import replay
from dnnlint.estimators.allocator.trace import Category, Mark, Note, NoteKind, Phase, Trace
from dnnlint.estimators.allocator.usage import Composition, Holder, OutOfMemory, Peaks, StepUsage, TimelinePoint, Usage

__all__ = [
    "AllocConfError",
    "AllocatorConfig",
    "CachingAllocator",
    "Category",
    "Composition",
    "Holder",
    "Mark",
    "Note",
    "NoteKind",
    "OutOfMemory",
    "Peaks",
    "Phase",
    "StepUsage",
    "TimelinePoint",
    "Trace",
    "Usage",
    "parse_alloc_conf",
    "replay",
]
