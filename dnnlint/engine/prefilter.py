"""Decide from the bytes alone whether a file can concern any rule, before libcst is imported."""

from __future__ import annotations

import re
import warnings

# Names of frameworks, calls that only training code makes, and our own comments. A word too many costs the time to
# parse a file, a missing one costs findings.
_TRAINING_WORDS = re.compile(
    rb"torch|lightning|accelerat|transformers|keras|tensorflow|deepspeed|fairscale|apex|jax|flax|timm|peft|trl\b|diffusers"
    rb"|monai|mmcv|mmengine|fastai|ignite|horovod|colossalai|megatron|composer|paddle|mindspore|bitsandbytes|unsloth"
    rb"|\.backward\(|zero_grad|DataLoader|num_workers|nvidia-smi|dnnlint:"
)


def concerns_training(data: bytes) -> bool:
    """Whether a file names a framework of deep learning or makes a call of a training loop."""
    return _TRAINING_WORDS.search(data) is not None


def compiles(data: bytes, *, top_level_await: bool = False) -> bool:
    """Whether the running interpreter accepts the source; twenty times faster than libcst, but of one version."""
    import _ast

    flags = _ast.PyCF_ONLY_AST | (_ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if top_level_await else 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of invalid escapes; they are not ours to report
        try:
            compile(data, "<source>", "exec", flags, dont_inherit=True)
        except (SyntaxError, ValueError):
            return False
        except (RecursionError, MemoryError):
            return True  # nested too deeply for this interpreter, which says nothing about the syntax
    return True
