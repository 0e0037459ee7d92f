"""Which part an object plays: optimizer, scaler, scheduler, model, engine.

Known by its constructor, by its annotation, or by the methods the file calls on it. A name alone decides nothing.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.program.values import (
    ClassValue,
    Element,
    External,
    Member,
    Object,
    Opaque,
    Ref,
    Result,
    Setting,
    Value,
    Values,
)

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver

OPTIMIZER_NAMES = frozenset(
    "SGD Adam AdamW Adamax NAdam RAdam RMSprop Rprop Adagrad Adadelta ASGD LBFGS SparseAdam Adafactor Muon "
    "Lion LAMB Lamb LARS Lars FusedAdam FusedSGD FusedLAMB AdamW8bit Adam8bit PagedAdamW PagedAdamW8bit "
    "PagedAdam8bit Lion8bit AdamP SGDP AdaBelief Adan Sophia SophiaG Prodigy Shampoo SOAP RangerLars Ranger "
    "MADGRAD NovoGrad Novograd AdaBound DAdaptAdam DAdaptSGD DistributedOptimizer ZeroRedundancyOptimizer "
    "DeepSpeedCPUAdam Lookahead SAM AdamWScheduleFree AdamCPR StableAdamW RMSpropTF AdEMAMix GaLoreAdamW "
    "create_optimizer create_optimizer_v2".split()
)
_MODEL_MAKERS = frozenset(
    ["create_model", "from_pretrained", "from_config", "get_peft_model", "get_model", "prepare_model"]
)
_MODEL_ROOTS = ("torch.nn.", "torchvision.models", "timm.models", "segmentation_models_pytorch", "torch.hub.load")
_NOT_MODELS = ("torch.nn.functional", "torch.nn.utils", "torch.nn.init", "torch.nn.Parameter", "torch.nn.parameter")
# ``AutoTokenizer.from_pretrained`` makes no network; a pipeline of diffusers runs its own without gradients.
_PRETRAINED_TOOLS = ("Tokenizer", "TokenizerFast", "Processor", "FeatureExtractor", "Pipeline", "Config", "Scheduler")
WRAPPER_NAMES = frozenset(
    "DistributedDataParallel DataParallel FullyShardedDataParallel FSDP DDP ModelEMA AveragedModel".split()
)
_PROTOCOL = frozenset(
    "zero_grad step scale update unscale_ get_scale backward parameters named_parameters state_dict train "
    "eval get_last_lr prepare accumulate autocast unwrap_model clip_grad_norm_ clip_gradients "
    "no_backward_sync setup save_checkpoint load_checkpoint gather gather_for_metrics wait_for_everyone "
    "save_state add_param_group is_gradient_accumulation_boundary no_sync".split()
)


def site(value: Value) -> Hashable:
    """The place of creation without the frame: what two activations of a function have in common."""
    if isinstance(value, Result):
        return ("result", id(value.node))
    if isinstance(value, Object):
        return ("object", id(value.node) if value.node is not None else id(value.cls))
    if isinstance(value, Member):
        return ("member", site(value.base), value.name)
    if isinstance(value, Element):
        return ("element", site(value.base), value.index)
    return value.key


def last_name(value: Value) -> str:
    """The last part of the qualified name of a library object or of what a library call made."""
    return getattr(value, "qualified", "").rsplit(".", 1)[-1]


class Roles:
    """Decides roles; the protocol table is built once, from calls of methods that matter."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._protocol: dict[Hashable, set[str]] | None = None
        self._given_to_scaler: set[Hashable] = set()

    def methods_of(self, value: Value) -> set[str]:
        """The names among the telling methods that the file calls on an object."""
        if self._protocol is None:
            self._build()
        assert self._protocol is not None
        return self._protocol.get(site(value), set())

    def _build(self) -> None:
        self._protocol = {}
        resolver = self._resolver
        for name in _PROTOCOL:
            for call in resolver.sites_named(name):
                func = call.node.func
                # An object that is put into evaluation mode is a network; eval("...") evaluates a text.
                if not isinstance(func, cst.Attribute) or (name == "eval" and call.node.args):
                    continue
                place = resolver.place_of(call)
                receivers = resolver.resolve(Ref(func.value, place))
                for value in receivers:
                    self._protocol.setdefault(site(value), set()).add(name)
                if name == "step" and call.node.args and any(self.is_scaler(v) for v in receivers):
                    given = resolver.resolve(Ref(call.node.args[0].value, place))
                    self._given_to_scaler.update(site(value) for value in given)

    def _annotated(self, value: Value, ending: str) -> bool:
        if not isinstance(value, Opaque) or value.annotation is None:
            return False
        found = self._resolver.resolve(value.annotation)
        return any(last_name(v) == ending for v in found)

    def is_scaler(self, value: Value) -> bool:
        """A gradient scaler of PyTorch (or one used exactly like it)."""
        if isinstance(value, Result) and value.qualified:
            return last_name(value) in ("GradScaler", "ShardedGradScaler") and not value.qualified.startswith(".")
        if isinstance(value, (Opaque, Member, Element, Setting)):
            used = self._protocol.get(site(value), set()) if self._protocol is not None else self.methods_of(value)
            return self._annotated(value, "GradScaler") or ({"scale", "step"} <= used and "update" in used)
        return False

    def is_optimizer(self, value: Value) -> bool:
        """An optimizer."""
        if isinstance(value, Result):
            name = last_name(value)
            if value.qualified.startswith("torch.optim.") and "lr_scheduler" not in value.qualified:
                return name[:1].isupper()
            if name in OPTIMIZER_NAMES:
                return True
            if value.qualified and name[:1].isupper():
                return False
        if isinstance(value, Object):
            return self._has_base(value, "Optimizer", ("torch.optim", "."))
        if not isinstance(value, (Opaque, Member, Element, Result, Setting)):
            return False
        used = self.methods_of(value)
        if self._annotated(value, "Optimizer") or site(value) in self._given_to_scaler:
            return True
        return {"zero_grad", "step"} <= used and not used & {"backward", "eval", "prepare"}

    def is_scheduler(self, value: Value) -> bool:
        """A learning-rate scheduler."""
        if isinstance(value, Result):
            name = last_name(value)
            if "lr_scheduler" in value.qualified or ("schedule" in name and name.startswith("get_")):
                return True
            if name in ("get_scheduler", "create_scheduler", "create_scheduler_v2"):
                return True
            return name[:1].isupper() and name.endswith(("LR", "LRScheduler", "Scheduler")) and bool(value.node.args)
        if isinstance(value, Element):
            return self.is_scheduler(value.base) and value.index == "0"
        if isinstance(value, Object):
            return self._has_base(value, "LRScheduler", ("torch.optim",)) or self._has_base(
                value, "_LRScheduler", ("torch.optim",)
            )
        if self._annotated(value, "LRScheduler") or self._annotated(value, "_LRScheduler"):
            return True
        used = self.methods_of(value) if isinstance(value, (Opaque, Member)) else set()
        return {"step", "get_last_lr"} <= used

    def is_model(self, value: Value) -> bool:
        """A neural network: an ``nn.Module``, wrapped or not."""
        if isinstance(value, Result):
            name = value.qualified
            if name.startswith(_NOT_MODELS) or name.rpartition(".")[0].endswith(_PRETRAINED_TOOLS):
                return False
            if name.startswith(_MODEL_ROOTS):
                return not self.is_loss(value)
            if last_name(value) in WRAPPER_NAMES or last_name(value) in _MODEL_MAKERS:
                return True
        if isinstance(value, Object):
            return self.is_module_class(value) and not self.is_loss(value)
        if self.is_optimizer(value):
            return False
        used = self.methods_of(value) if isinstance(value, (Opaque, Member, Element, Result)) else set()
        return bool(used & {"parameters", "named_parameters", "eval"})

    def is_loss(self, value: Value) -> bool:
        """A loss module such as ``nn.CrossEntropyLoss()``."""
        if isinstance(value, Result):
            return value.qualified.startswith("torch.nn.") and last_name(value).endswith("Loss")
        return isinstance(value, Object) and value.cls.name.endswith(("Loss", "Criterion"))

    def is_module_class(self, value: Object | ClassValue) -> bool:
        """Whether a project class is an ``nn.Module`` (also through a base class elsewhere named so)."""
        names = ("Module", "PreTrainedModel", "Sequential", "ModuleList")
        return any(self._has_base(value, name, ("torch", "transformers", "timm")) for name in names)

    def _has_base(self, value: Object | ClassValue, name: str, roots: tuple[str, ...]) -> bool:
        _, outside = self._resolver.lineage(value.cls)
        return any(isinstance(b, External) and last_name(b) == name and b.qualified.startswith(roots) for b in outside)

    def is_engine(self, value: Value) -> bool:
        """A DeepSpeed engine: it runs backward and step itself, and clips and clears gradients in them."""
        if isinstance(value, Element) and isinstance(value.base, Result):
            return value.base.qualified.startswith("deepspeed.") and value.index == "0"
        used = self.methods_of(value) if isinstance(value, (Opaque, Member, Element)) else set()
        return (
            {"backward", "step"} <= used
            and "zero_grad" not in used
            and bool(
                used & {"save_checkpoint", "load_checkpoint", "is_gradient_accumulation_boundary", "train", "eval"}
            )
        )

    def is_accelerator(self, value: Value) -> bool:
        """An ``Accelerator`` or ``Fabric``: it scales, synchronises and sometimes clips on behalf of the loop."""
        if isinstance(value, Result) and value.qualified:
            return last_name(value) in ("Accelerator", "Fabric", "Engine")
        if self._annotated(value, "Accelerator") or self._annotated(value, "Fabric"):
            return True
        used = self.methods_of(value) if isinstance(value, (Opaque, Member, Element, Object)) else set()
        return "backward" in used and bool(
            used
            & {
                "prepare",
                "accumulate",
                "unwrap_model",
                "clip_gradients",
                "no_backward_sync",
                "setup",
                "gather",
                "gather_for_metrics",
                "wait_for_everyone",
                "save_state",
            }
        )

    def any_of(self, values: Values, role: str) -> bool:
        """Whether any possible value plays a role, named like the methods above without ``is_``."""
        check = getattr(self, f"is_{role}")
        return any(check(value) for value in values)


def is_made_optimizer(value: Value) -> bool:
    """Whether the file shows the construction of an optimizer of PyTorch, so that its site tells it from others."""
    return isinstance(value, Result) and value.qualified.startswith("torch.optim.")


def unwrap(resolver: Resolver, value: Value) -> Values:
    """The object inside DDP, FSDP and similar wrappers; the value itself where there is none."""
    seen = 0
    values: Values = (value,)
    while seen < 4 and len(values) == 1 and isinstance(values[0], Result):
        made = values[0]
        if last_name(made) not in WRAPPER_NAMES or not made.node.args:
            break
        values = resolver.resolve(Ref(made.node.args[0].value, made.place))
        seen += 1
    return values
