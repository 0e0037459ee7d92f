"""Events, training loops, paths and accumulation windows of small programs."""

from __future__ import annotations

import textwrap

import libcst as cst
import pytest

from dnnlint.program import Program, build_program
from dnnlint.program.precision import autocasts
from dnnlint.program.tree import Kind, contexts_around
from dnnlint.program.values import Ref

PRELUDE = """
import torch
from torch import nn
model = nn.Linear(4, 4)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda")
"""


def program_of(body: str) -> Program:
    """The analysed program of a prelude with model, optimizer and scaler, and a body."""
    return build_program(cst.parse_module(PRELUDE + textwrap.dedent(body)))


def paths_of(program: Program) -> list[str]:
    """The paths of the only training loop, as event kinds."""
    (loop,) = program.training_loops
    return [" ".join(event.kind for event in path.events if event.kind != Kind.FORWARD) for path in loop.paths]


PATHS = {
    "plain step": (
        "for x in d:\n    opt.zero_grad()\n    model(x).sum().backward()\n    opt.step()",
        ["zero-grad backward step"],
    ),
    "scaler": (
        "for x in d:\n    scaler.scale(model(x).sum()).backward()\n    scaler.step(opt)\n    scaler.update()",
        ["backward step update"],
    ),
    "scaled loss in a variable": (
        "for x in d:\n    loss = scaler.scale(model(x).sum())\n    loss.backward()\n    scaler.step(opt)",
        ["backward step"],
    ),
    "branch": (
        "for x in d:\n    model(x).sum().backward()\n    if c:\n        nn.utils.clip_grad_norm_(model.parameters(), 1)\n    opt.step()",
        ["backward clip step", "backward step"],
    ),
    "early continue": (
        "for x in d:\n    model(x).sum().backward()\n    if skip:\n        continue\n    opt.step()",
        ["backward", "backward step"],
    ),
    "raise leaves no path": (
        "for x in d:\n    model(x).sum().backward()\n    if bad:\n        raise ValueError\n    opt.step()",
        ["backward step"],
    ),
    "same condition twice": (
        "for x in d:\n    if amp:\n        scaler.scale(model(x).sum()).backward()\n    else:\n        model(x).sum().backward()\n"
        "    if amp:\n        scaler.step(opt)\n        scaler.update()\n    else:\n        opt.step()",
        ["backward step update", "backward step"],
    ),
    "condition and its negation": (
        "for x in d:\n    model(x).sum().backward()\n    if amp:\n        scaler.unscale_(opt)\n    if not amp:\n        opt.step()",
        ["backward unscale", "backward step"],
    ),
    "scaler is None follows its definition": (
        "def run(amp):\n    s = torch.amp.GradScaler('cuda') if amp else None\n    for x in d:\n        if amp:\n"
        "            model.train()\n        loss = model(x).sum()\n        if s is not None:\n            s.scale(loss).backward()\n"
        "            s.step(opt)\n        else:\n            loss.backward()\n            opt.step()",
        ["train-mode backward step", "backward step"],
    ),
    "scaler set under a statement": (
        "def run(amp):\n    s = None\n    if amp:\n        s = torch.amp.GradScaler('cuda')\n    for x in d:\n        loss = model(x).sum()\n"
        "        if amp:\n            model.train()\n        if s:\n            s.scale(loss).backward()\n            s.step(opt)\n"
        "        else:\n            loss.backward()\n            opt.step()",
        ["train-mode backward step", "backward step"],
    ),
    "constant condition": (
        "AMP = False\nfor x in d:\n    loss = model(x).sum()\n    if AMP:\n        scaler.scale(loss).backward()\n    else:\n        loss.backward()\n    opt.step()",
        ["backward step"],
    ),
    "helper function": (
        "def update(loss, o):\n    loss.backward()\n    o.step()\nfor x in d:\n    opt.zero_grad()\n    update(model(x).sum(), opt)",
        ["zero-grad backward step"],
    ),
    "helper whose option is off": (
        "def clip(params, limit=None):\n    if limit is not None:\n        nn.utils.clip_grad_norm_(params, limit)\n"
        "for x in d:\n    model(x).sum().backward()\n    clip(model.parameters())\n    opt.step()",
        ["backward step"],
    ),
    "callable wrapper": (
        "class Stepper:\n    def __call__(self, loss, o):\n        loss.backward()\n        o.step()\nstepper = Stepper()\n"
        "for x in d:\n    stepper(model(x).sum(), opt)",
        ["backward step"],
    ),
    "trainer class": (
        "class T:\n    def __init__(self):\n        self.o = torch.optim.Adam(model.parameters())\n    def one(self, x):\n"
        "        model(x).sum().backward()\n        self.o.step()\n    def fit(self):\n        for x in d:\n            self.o.zero_grad()\n            self.one(x)\nT().fit()",
        ["zero-grad backward step"],
    ),
    "inherited method": (
        "class B:\n    def one(self, x):\n        model(x).sum().backward()\n        opt.step()\nclass T(B):\n    def fit(self):\n"
        "        for x in d:\n            self.one(x)",
        ["backward step"],
    ),
    "closure of the optimizer": (
        "for x in d:\n    def closure():\n        opt.zero_grad()\n        loss = model(x).sum()\n        loss.backward()\n        return loss\n    opt.step(closure)",
        ["zero-grad backward step"],
    ),
    "partial": (
        "from functools import partial\ndef f(o, x):\n    model(x).sum().backward()\n    o.step()\ng = partial(f, opt)\nfor x in d:\n    g(x)",
        ["backward step"],
    ),
    "parameters of an uncalled function": (
        "def train(net, loader, optimizer):\n    for x in loader:\n        optimizer.zero_grad()\n        net(x).sum().backward()\n        optimizer.step()",
        ["zero-grad backward step"],
    ),
    "annotated optimizer": (
        "def train(net, loader, o: torch.optim.Optimizer):\n    for x in loader:\n        net(x).sum().backward()\n        o.step()",
        ["backward step"],
    ),
    "gradients cleared by hand": (
        "for x in d:\n    for p in model.parameters():\n        p.grad = None\n    model(x).sum().backward()\n    opt.step()",
        ["zero-grad backward step"],
    ),
    "gradients clipped by hand": (
        "for x in d:\n    model(x).sum().backward()\n    for p in model.parameters():\n        p.grad.clamp_(-1, 1)\n    opt.step()",
        ["backward clip step"],
    ),
    "gradient norm read": (
        "for x in d:\n    model(x).sum().backward()\n    n = model.weight.grad.norm()\n    opt.step()",
        ["backward read-gradients step"],
    ),
    "unknown helper that gets the optimizer": (
        "from helpers import tidy\nfor x in d:\n    model(x).sum().backward()\n    tidy(opt)\n    opt.step()",
        ["backward opaque step"],
    ),
    "known library is no unknown": (
        "import wandb\nfor x in d:\n    model(x).sum().backward()\n    wandb.watch(model)\n    opt.step()",
        ["backward step"],
    ),
    "try": (
        "for x in d:\n    try:\n        model(x).sum().backward()\n    except RuntimeError:\n        torch.cuda.empty_cache()\n        continue\n    opt.step()",
        ["backward step"],
    ),
    "match": (
        "for x in d:\n    model(x).sum().backward()\n    match mode:\n        case 1:\n            opt.zero_grad()\n    opt.step()",
        ["backward zero-grad step", "backward step"],
    ),
    "conditional expression": (
        "for x in d:\n    model(x).sum().backward()\n    scaler.step(opt) if amp else opt.step()\n    scaler.update() if amp else None",
        ["backward step update", "backward step"],
    ),
    "scheduler": (
        "sched = torch.optim.lr_scheduler.StepLR(opt, 3)\nfor x in d:\n    model(x).sum().backward()\n    opt.step()\n    sched.step()",
        ["backward step schedule"],
    ),
    "environment step is no optimizer step": (
        "for x in d:\n    env.step(x)\n    model(x).sum().backward()\n    opt.step()",
        ["backward step"],
    ),
    "accelerate": (
        "from accelerate import Accelerator\na = Accelerator()\nfor x in d:\n    a.backward(model(x).sum())\n    a.clip_grad_norm_(model.parameters(), 1)\n    opt.step()",
        ["backward clip step"],
    ),
    "deepspeed": (
        "import deepspeed\nengine, o, _, _ = deepspeed.initialize(model=model)\nfor x in d:\n    engine.backward(engine(x).sum())\n    engine.step()",
        ["backward step"],
    ),
    "evaluation mode by argument": (
        "for x in d:\n    model.train(False)\n    model.train(mode=True)\n    model(x).sum().backward()\n    opt.step()",
        ["eval-mode train-mode backward step"],
    ),
    "spawned main": (
        "import torch.multiprocessing as mp\ndef main(rank, o):\n    for x in d:\n        model(x).sum().backward()\n        o.step()\nmp.spawn(main, args=(opt,))",
        ["backward step"],
    ),
    "either of two helpers": (
        "def a(o):\n    model(1).sum().backward()\n    o.step()\ndef b(o):\n    model(1).sum().backward()\n    o.zero_grad()\n    o.step()\n"
        "f = a if c else b\nfor x in d:\n    f(opt)",
        ["backward step", "backward zero-grad step"],
    ),
}


@pytest.mark.parametrize(("body", "expected"), PATHS.values(), ids=PATHS)
def test_paths_of_one_iteration(body: str, expected: list[str]) -> None:
    assert paths_of(program_of(body)) == expected


def windowed(test: str, before: str = "", header: str = "for i, x in enumerate(d):", n: str = "4") -> str:
    """A loop whose step is guarded by a test."""
    return (
        f"n = {n}\n{header}\n    loss = model(x).sum() / n\n    loss.backward()\n{before}"
        f"    if {test}:\n        opt.step()\n        opt.zero_grad()\n"
    )


WINDOWS = {
    "i + 1 modulo n": (windowed("(i + 1) % n == 0"), ("window", 1, 0, 0)),
    "i modulo n": (windowed("i % n == 0"), ("window", 0, 0, 0)),
    "last of the window": (windowed("i % n == n - 1"), ("window", 0, -1, 0)),
    "not modulo": (windowed("not (i + 1) % n"), ("window", 1, 0, 0)),
    "or last batch": (windowed("(i + 1) % n == 0 or i + 1 == len(d)"), ("window", 1, 0, 1)),
    "through a name": (windowed("done", before="    done = (i + 1) % n == 0 or i == last\n"), ("window", 1, 0, 1)),
    "counter": (
        windowed("count == n", before="    count += 1\n", header="count = 0\nfor i, x in enumerate(d):"),
        ("window", 0, None, 0),
    ),
    "early continue": (
        "n = 4\nfor i, x in enumerate(d):\n    model(x).sum().backward()\n    if (i + 1) % n != 0:\n        continue\n    opt.step()",
        ("window", 1, 0, 0),
    ),
    "nested range": (
        "n = 4\nfor step in range(9):\n    for micro in range(n):\n        model(x).sum().backward()\n    opt.step()",
        ("nested", None, None, None),
    ),
    "accelerate": (
        "from accelerate import Accelerator\na = Accelerator(gradient_accumulation_steps=4)\nfor x in d:\n    with a.accumulate(model):\n"
        "        a.backward(model(x).sum())\n        opt.step()",
        ("framework", None, None, None),
    ),
    "no accumulation": ("for x in d:\n    model(x).sum().backward()\n    opt.step()", None),
    "guard that is no window": (windowed("torch.isfinite(loss)"), None),
    "logging interval is no window": (
        "for i, x in enumerate(d):\n    model(x).sum().backward()\n    opt.step()\n    if i % 10 == 0:\n        model.eval()",
        None,
    ),
    "two optimizers taking turns": (
        "other = torch.optim.Adam(model.parameters())\nfor i, x in enumerate(d):\n    model(x).sum().backward()\n    opt.step()\n"
        "    if i % 5 == 0:\n        model(x).mean().backward()\n        other.step()",
        None,
    ),
    "time steps of a recurrent network": (
        "for s in d:\n    h = None\n    for i in range(4):\n        y, h = model(s[i], h)\n        y.mean().backward()\n        h = h.detach()\n    opt.step()",
        None,
    ),
    "loss over the features of the whole window": (
        "for i, x in enumerate(d):\n    for j in range(4):\n        z = model(buf[j])\n        loss_fn(torch.cat(f[:j] + [z] + f[j + 1:])).backward()\n    opt.step()",
        None,
    ),
    "inner loop over tasks": (
        "for x in d:\n    for task in tasks:\n        model(task).sum().backward()\n    opt.step()",
        None,
    ),
}


@pytest.mark.parametrize(("body", "expected"), WINDOWS.values(), ids=WINDOWS)
def test_accumulation_is_recognised(body: str, expected: tuple[object, ...] | None) -> None:
    (loop,) = program_of(body).training_loops
    found = loop.accumulation
    if found is None or expected is None:
        assert (found, expected) == (None, None)
        return
    window = found.window
    shape = (window.offset, window.remainder, len(window.alternatives)) if window else (None, None, None)
    assert (found.kind, *shape) == expected


def test_factor_resolves_to_its_number() -> None:
    program = program_of(windowed("(i + 1) % n == 0", n="8"))
    accumulation = program.training_loops[0].accumulation
    assert accumulation is not None
    assert accumulation.factor is not None
    assert [getattr(v, "value", None) for v in program.resolver.resolve(accumulation.factor)] == [8]


NO_LOOPS = {
    "no step": "for x in d:\n    model(x).sum().backward()",
    "no backward": "for x in d:\n    opt.step()",
    "backward of the project's own class": (
        "class E:\n    def backward(self, loss):\n        pass\ne = E()\nfor x in d:\n    e.backward(1)\n    opt.step()"
    ),
    "single step outside any loop": "model(x).sum().backward()\nopt.step()",
    "Lightning leaves the loop to the framework": (
        "import lightning as L\nclass M(L.LightningModule):\n    def training_step(self, batch, i):\n        return self(batch).sum()"
    ),
}


@pytest.mark.parametrize("body", NO_LOOPS.values(), ids=NO_LOOPS)
def test_no_training_loop(body: str) -> None:
    assert program_of(body).training_loops == []


def test_step_function_without_visible_loop() -> None:
    """A function with backward and step whose callers are elsewhere is training, with an unknown loop."""
    program = program_of("def step(x):\n    model(x).sum().backward()\n    opt.step()")
    (loop,) = program.training_loops
    assert loop.window is None
    assert [e.kind for e in loop.steps] == [Kind.STEP]


def test_too_many_paths_say_nothing() -> None:
    """Nine independent conditions are more than can be enumerated: the loop has no paths, and no accumulation."""
    tests = "".join(f"    if c{i}:\n        opt.zero_grad()\n" for i in range(9))
    (loop,) = program_of(f"for x in d:\n    model(x).sum().backward()\n{tests}    opt.step()").training_loops
    assert loop.paths == ()
    assert loop.accumulation is None


def test_contexts_of_callers_are_seen() -> None:
    """A decorator and a with block of the caller are both around the forward pass of a helper."""
    program = program_of(
        """
        @torch.no_grad()
        def helper():
            return model(1)
        def main():
            with torch.autocast("cuda", dtype=torch.float16):
                helper()
        main()
        """
    )
    (forward,) = program.events(Kind.FORWARD)
    names = [getattr(v, "qualified", "") for ref in contexts_around(forward) for v in program.resolver.resolve(ref)]
    assert names == ["torch.no_grad", "torch.autocast"]


AUTOCASTS = {
    "explicit": ('torch.autocast("cuda", dtype=torch.float16)', {"float16"}, {"cuda"}),
    "default of CUDA": ('torch.autocast("cuda")', {"float16"}, {"cuda"}),
    "default of the CPU": ('torch.autocast("cpu")', {"bfloat16"}, {"cpu"}),
    "positional dtype": ('torch.autocast("cuda", torch.bfloat16)', {"bfloat16"}, {"cuda"}),
    "old API": ("torch.cuda.amp.autocast()", {"float16"}, {"cuda"}),
    "old API positional": ("torch.cuda.amp.autocast(True, torch.bfloat16)", {"bfloat16"}, {"cuda"}),
    "device object": ('torch.autocast(torch.device("cuda:0").type, dtype=torch.half)', {"float16"}, {"cuda"}),
    "dtype from a table": (
        'torch.autocast("cuda", dtype={"a": torch.float16, "b": torch.bfloat16}[name])',
        {"float16", "bfloat16"},
        {"cuda"},
    ),
    "factory": ("make()", {"float16"}, {"cuda"}),
    "partial": ('functools.partial(torch.autocast, "cuda", dtype=torch.bfloat16)()', {"bfloat16"}, {"cuda"}),
    "null context or autocast": (
        'contextlib.nullcontext() if c else torch.autocast("cuda", dtype=torch.float16)',
        {"float16"},
        {"cuda"},
    ),
    "unknown keywords": ('torch.autocast("cuda", **kw)', {"unknown"}, {"cuda"}),
}


@pytest.mark.parametrize(("context", "dtypes", "devices"), AUTOCASTS.values(), ids=AUTOCASTS)
def test_autocast_is_described(context: str, dtypes: set[str], devices: set[str]) -> None:
    program = program_of(
        f"import contextlib, functools\ndef make():\n    return torch.cuda.amp.autocast()\n"
        f"for x in d:\n    with {context}:\n        loss = model(x).sum()\n    loss.backward()\n    opt.step()"
    )
    (forward,) = program.events(Kind.FORWARD)
    (found,) = autocasts(program.resolver, contexts_around(forward))
    assert (set(found.dtypes), set(found.devices)) == (dtypes, devices)


def test_loop_test_calls_belong_to_the_loop() -> None:
    """What a ``while`` test calls runs in every round."""
    program = program_of("while show():\n    model(1).sum().backward()\n    opt.step()")
    call = next(c for c in program.facts.calls if c.attribute == "show")
    assert call.block.kind == "loop"
    assert isinstance(program.resolver.resolve(Ref(call.node, program.place_of(call))), tuple)


def test_own_context_manager_holds_its_contexts() -> None:
    """A context manager of the project that yields inside autocast counts as autocast."""
    program = program_of(
        """
        from contextlib import contextmanager
        @contextmanager
        def mixed(on=True):
            with torch.autocast("cuda", dtype=torch.float16, enabled=on):
                yield
        for x in d:
            with mixed():
                loss = model(x).sum()
            loss.backward()
            opt.step()
        """
    )
    (forward,) = program.events(Kind.FORWARD)
    assert [set(found.dtypes) for found in autocasts(program.resolver, contexts_around(forward))] == [{"float16"}]


def test_chunks_of_a_batch_are_accumulated() -> None:
    program = program_of(
        "for x in d:\n    for part in x.chunk(4):\n        model(part).mean().backward()\n    opt.step()"
    )
    accumulation = program.training_loops[0].accumulation
    assert accumulation is not None
    assert (accumulation.kind, accumulation.factor is not None) == ("nested", True)
