"""Which statements of a file an estimate runs: those the model needs, and none that train."""

from __future__ import annotations

import ast

import pytest

from dnnlint.estimators.errors import TargetError
from dnnlint.estimators.targets.entries import find_entry, missing_arguments
from dnnlint.estimators.targets.names import bound_names, effects, free_names
from dnnlint.estimators.targets.slicing import slice_module


def kept(source: str, entry: str | None = None) -> list[str]:
    """First lines of the statements that would run."""
    tree = ast.parse(source)
    found = slice_module(tree, find_entry(tree, entry))
    return [ast.unparse(statement).splitlines()[0] for statement in found.statements]


NET = "class Net(nn.Module):\n    def forward(self, x): return x\n"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        pytest.param("a.b[c](d, *e)", "a c d e", id="expression"),
        pytest.param("[x + y for x in z]", "y z", id="comprehension-variable-is-local"),
        pytest.param("lambda x, y=d: x + y + g", "d g", id="lambda"),
        pytest.param("def f(x: A, y=D) -> R:\n    z = x + g\n    return z", "A D R g", id="function"),
        pytest.param("def f():\n    global g\n    g = 1", "g", id="global"),
        pytest.param(
            "@deco\nclass C(Base, metaclass=M):\n    k = g\n    j = k\n    def m(self): return h + k",
            "Base M deco g h k",
            id="class",
        ),
        pytest.param("def f():\n    try: pass\n    except E as e: print(e)", "E print", id="handler-name-is-local"),
    ],
)
def test_free_names(source: str, names: str) -> None:
    """Names that come from outside, inner scopes resolved."""
    assert free_names(ast.parse(source)) == set(names.split())


def test_bound_names() -> None:
    """Assignments, imports, definitions, loop variables and with-targets bind; inner scopes do not."""
    source = (
        "import a.b, c as d\nfrom e import f\nfor g in h: i = 1\nwith j as k: pass\ndef m():\n    n = 1\n[o for o in p]"
    )
    assert bound_names(ast.parse(source).body) == {"a", "d", "f", "g", "i", "k", "m"}


@pytest.mark.parametrize(
    ("statement", "changed"),
    [
        pytest.param("model.fc = nn.Linear(2, 2)", "model", id="attribute"),
        pytest.param("model.layers[0].p = 1", "model", id="deep-attribute"),
        pytest.param("config['a'] = 1", "config", id="item"),
        pytest.param("model.to(device)", "model", id="method"),
        pytest.param("freeze(model)", "model", id="function-of-the-model-alone"),
        pytest.param("freeze(model, 'stem')", "model", id="function-with-literals"),
        pytest.param("nn.init.zeros_(model.fc.weight)", "model nn", id="torch-nn-function"),
        pytest.param("for p in model.parameters(): p.requires_grad = False", "model p", id="loop-over-parts"),
        pytest.param(
            "for i, m in enumerate(model.children()): m.eval()", "enumerate m model", id="loop-through-enumerate"
        ),
        pytest.param("evaluate(model, loader)", "", id="use-with-data"),
        pytest.param("print(model)", "", id="print"),
        pytest.param("trainer.fit(model)", "", id="fit"),
        pytest.param("y = model(x)", "", id="call"),
        pytest.param("total += x", "total", id="augmented"),
    ],
)
def test_changes(statement: str, changed: str) -> None:
    """Statements that change an object in place, and those that only use it."""
    assert effects(ast.parse(statement).body[0]).changes == set(changed.split())


def test_training_script_is_cut_to_the_model() -> None:
    """Data, optimizer and an unguarded training loop stay out."""
    source = f"""
import torch
from torch import nn
import wandb_that_is_missing
{NET}
device = torch.device("cuda")
dataset = open("/nowhere")
model = Net().to(device)
model.head = nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters())
for epoch in range(10):
    for x in dataset:
        optimizer.zero_grad()
        model(x).backward()
        optimizer.step()
torch.save(model.state_dict(), "out.pt")
"""
    assert kept(source) == [
        "import torch",
        "from torch import nn",
        "class Net(nn.Module):",
        "device = torch.device('cuda')",
        "model = Net().to(device)",
        "model.head = nn.Linear(2, 2)",
    ]


def test_imports_are_narrowed_to_the_needed_names() -> None:
    """A missing package that the model does not need is not imported, even on a shared line."""
    assert kept("import torch.nn as nn, missing\nfrom x import y, z\nmodel = nn.Linear(y, 2)") == [
        "import torch.nn as nn",
        "from x import y",
        "model = nn.Linear(y, 2)",
    ]


def test_blocks_are_pruned() -> None:
    """Only what the model needs is left of if, with and try; the guards keep their conditions."""
    source = """
if flag:
    model = A()
    log.write("big")
else:
    model = B()
try:
    from fast import A
except ImportError:
    from slow import A
with open("x") as f:
    data = f.read()
flag = True
"""
    tree = ast.parse(source)
    text = "\n".join(ast.unparse(node) for node in slice_module(tree, find_entry(tree, "model")).statements)
    assert "log" not in text
    assert "data" not in text
    assert "flag = True" in text
    assert "except ImportError:\n    from slow import A" in text


def test_evaluation_branch_brings_no_data() -> None:
    """``if args.eval:`` may mention the loader; the model does not need it."""
    source = "loader = make()\nmodel = Net()\nif args.eval:\n    evaluate(model, loader)\n    exit()\n"
    assert kept(source) == ["model = Net()"]


def test_building_loop_is_kept_and_using_loop_is_not() -> None:
    """A loop that appends layers builds; one that calls the model on what it iterates uses it."""
    source = (
        "layers = []\n"
        "for i in range(3):\n"
        "    layers.append(nn.Linear(2, 2))\n"
        "model = nn.Sequential(*layers)\n"
        "for x in data:\n"
        "    model.eval()\n"
        "    model(x)\n"
    )
    assert kept(source) == ["layers = []", "for i in range(3):", "model = nn.Sequential(*layers)"]


def test_helper_that_trains_is_not_called() -> None:
    """A call that reaches a training step through another function is left out."""
    source = "def step(m): m(1).backward()\ndef train(m): step(m)\nmodel = Net()\ntrain(model)\n"
    assert kept(source) == ["model = Net()"]


def test_global_settings_of_torch_are_kept_and_process_groups_are_not() -> None:
    """What changes how a model is built stays; what needs a cluster does not."""
    source = (
        "import torch\n"
        "torch.set_default_dtype(torch.bfloat16)\n"
        "torch.manual_seed(0)\n"
        "torch.distributed.init_process_group()\n"
        "torch.backends.cudnn.benchmark = True\n"
        "model = torch.nn.Linear(2, 2)\n"
    )
    assert kept(source) == [
        "import torch",
        "torch.set_default_dtype(torch.bfloat16)",
        "torch.backends.cudnn.benchmark = True",
        "model = torch.nn.Linear(2, 2)",
    ]


def test_star_import_is_kept_for_names_that_nothing_else_binds() -> None:
    """``Net`` may come from it; ``nn`` does not."""
    source = "from missing import *\nfrom torch import nn\nmodel = nn.Linear(2, 2)"
    assert kept(source) == ["from torch import nn", "model = nn.Linear(2, 2)"]
    assert kept(source.replace("nn.Linear(2, 2)", "Net()"))[0] == "from missing import *"


def test_model_inside_a_function_takes_the_call_arguments() -> None:
    """Parameters get the value of the call, else the default."""
    source = (
        f"{NET}def main(width, depth=3, kind='a'):\n"
        "    model = Net(width, depth, kind)\n"
        "    train(model)\n"
        "if __name__ == '__main__':\n"
        "    width = 7\n"
        "    main(width, kind='b')\n"
    )
    tree = ast.parse(source)
    statements = slice_module(tree, find_entry(tree, None)).statements
    texts = [ast.unparse(node) for node in statements]
    assert texts[1:] == ["width = 7", "depth = 3", "kind = 'b'", "model = Net(width, depth, kind)"]


@pytest.mark.parametrize(
    ("source", "expression"),
    [
        pytest.param(f"{NET}def build_model(): return Net()\nmodel = Net()", "build_model()", id="build_model-first"),
        pytest.param(
            f"{NET}def get_model(): return Net()\nmodel = Net()", "model", id="variable-model-before-other-names"
        ),
        pytest.param(
            f"{NET}def get_model(): return Net()\nnet = Net()", "get_model()", id="builder-before-other-variables"
        ),
        pytest.param(f"{NET}net: nn.Module = Net()", "net", id="annotated-variable"),
        pytest.param(f"{NET}if __name__ == '__main__':\n    model = Net()", "model", id="main-guard"),
        pytest.param(
            f"{NET}def test():\n    model = torch.load('x')\ndef main():\n    model = Net(3)",
            "model",
            id="function-that-loads-does-not-count",
        ),
        pytest.param(NET, "Net()", id="class"),
        pytest.param(f"{NET}fit(Net(3))", "Net(3)", id="construction-gives-arguments"),
        pytest.param(
            f"{NET}class Big(nn.Module):\n    def __init__(self): self.net = Net()", "Big()", id="outer-class"
        ),
        pytest.param(f"{NET}class MyLoss(nn.Module): pass", "Net()", id="a-loss-is-no-model"),
        pytest.param("class Base(nn.Module): pass\nclass Net(Base): pass", "Net()", id="derived-class"),
        pytest.param("class Net(BertPreTrainedModel): pass", "Net()", id="transformers-base"),
    ],
)
def test_entry_is_found(source: str, expression: str) -> None:
    """The order: build_model, model, other builders, other variables, functions, classes."""
    assert find_entry(ast.parse(source), None).expression == expression


@pytest.mark.parametrize(
    ("source", "message"),
    [
        pytest.param("x = 1", "no model", id="none"),
        pytest.param(
            f"{NET}{NET.replace('Net', 'Other')}", r"2 candidates.*Net \(line 1\), Other \(line 3\)", id="two-classes"
        ),
        pytest.param("def get_model(): ...\ndef create_model(): ...", "2 candidates", id="two-builders"),
        pytest.param("student = A()\ngenerator = B()", "2 candidates", id="two-variables"),
    ],
)
def test_no_entry_or_several_are_refused(source: str, message: str) -> None:
    """No guess: the message lists the candidates and how to choose."""
    with pytest.raises(TargetError, match=message) as caught:
        find_entry(ast.parse(source), None)
    assert "--entry" in caught.value.help


@pytest.mark.parametrize(
    ("name", "kind"),
    [("build", "function"), ("Net", "class"), ("thing", "variable"), ("inner", "variable of run()")],
)
def test_named_entry(name: str, kind: str) -> None:
    """--entry takes a function, a class, a variable, or a variable of a function."""
    source = f"{NET}def build(): ...\nthing = 1\ndef run():\n    inner = Net.make()\n"
    assert find_entry(ast.parse(source), name).kind == kind


def test_unknown_entry_lists_what_there_is() -> None:
    """The help names the file's definitions."""
    with pytest.raises(TargetError) as caught:
        find_entry(ast.parse("def build(): ...\nx = 1"), "nope")
    assert "build, x" in caught.value.help


@pytest.mark.parametrize(
    ("source", "given", "missing"),
    [
        pytest.param("def build_model(a, b, c=1, *, d, e=2): ...", {"a"}, ["b", "d"], id="function"),
        pytest.param(
            "class Net(nn.Module):\n    def __init__(self, width, depth=2): ...", set(), ["width"], id="class"
        ),
        pytest.param("class Net(nn.Module): ...", set(), [], id="class-without-init"),
        pytest.param("model = Net(x)", set(), [], id="variable"),
    ],
)
def test_missing_arguments(source: str, given: set[str], missing: list[str]) -> None:
    """Parameters without default that --arg does not give."""
    tree = ast.parse(source)
    assert missing_arguments(tree, find_entry(tree, None), given) == missing
