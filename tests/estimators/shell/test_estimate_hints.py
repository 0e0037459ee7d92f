"""What a training script says about its training, and how it is weighed against options."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from dnnlint.estimators.errors import OptionError, TargetError
from dnnlint.estimators.options import EstimateOptions, OptimizerSpec, Setting
from dnnlint.estimators.settings import decide_settings
from dnnlint.estimators.targets.hints import Hints, read_hints
from dnnlint.estimators.targets.resolve import plan_target
from dnnlint.estimators.targets.source import plan_file


def hints(source: str) -> Hints:
    return read_hints(ast.parse(source))


@pytest.mark.parametrize(
    ("source", "size"),
    [
        pytest.param("DataLoader(ds, batch_size=32)", 32, id="loader"),
        pytest.param("B = 16\nDataLoader(ds, batch_size=B)", 16, id="loader-with-constant"),
        pytest.param("batch_size = 12", 12, id="constant"),
        pytest.param("p.add_argument('--batch-size', type=int, default=64)", 64, id="argparse-default"),
        pytest.param("batch_size = 12\nDataLoader(ds, batch_size=4)", 4, id="loader-wins"),
        pytest.param("DataLoader(ds, 24)", 24, id="loader-by-position"),
        pytest.param(
            "p.add_argument('-b', default=48)\nDataLoader(ds, batch_size=args.b)", 48, id="loader-with-option"
        ),
        pytest.param("class C:\n    b: int = 48\nDataLoader(ds, batch_size=cfg.b)", 48, id="loader-with-field"),
        pytest.param("DataLoader(ds, batch_size=args.b)", None, id="unknown-is-silent"),
        pytest.param("batch_size = 0", None, id="zero-is-no-size"),
        pytest.param("batch_size = True", None, id="bool-is-no-size"),
    ],
)
def test_batch(source: str, size: int | None) -> None:
    """A literal or a constant; nothing else."""
    found = hints(source).batch
    assert (found.value if found else None) == size


def test_optimizer_with_literals_and_what_is_not_literal() -> None:
    """Literal arguments are taken, the learning rate does not matter, and the rest is reported."""
    found = hints("optim.SGD(m.parameters(), lr=args.lr, momentum=0.9, weight_decay=args.wd)")
    assert found.optimizer == OptimizerSpec("sgd", (("momentum", 0.9),))
    (doubt,) = found.doubts["optimizer"]
    assert doubt.startswith("SGD(weight_decay=args.wd) on line 1 is not known before a run")


OPTIONS = """
parser.add_argument("-m", "--momentum", type=float, default=0.9)
parser.add_argument("--wd", dest="decay", default=1e-4)
parser.add_argument("--nesterov", action="store_true")
parser.add_argument("--dampening", type=float, required=True)
optim.SGD(p, momentum=args.momentum, weight_decay=args.decay, nesterov=args.nesterov, dampening=args.dampening)
"""


def test_defaults_of_options_are_known() -> None:
    """Momentum doubles the optimizer's state, and scripts take it from their command line."""
    found = hints(OPTIONS)
    assert found.optimizer is not None
    assert dict(found.optimizer.arguments) == {"momentum": 0.9, "weight_decay": 1e-4, "nesterov": False}
    assert "dampening=args.dampening" in found.doubts["optimizer"][0]


def test_given_arguments_replace_the_defaults() -> None:
    """``--arg momentum=0`` changes the optimizer, as on the script's own command line."""
    found = read_hints(ast.parse(OPTIONS), {"momentum": 0, "dampening": 0.1}).optimizer
    assert found is not None
    assert dict(found.arguments) == {"momentum": 0, "weight_decay": 1e-4, "nesterov": False, "dampening": 0.1}


@pytest.mark.parametrize(
    ("source", "steps"),
    [
        pytest.param("accum_steps = 4", 4, id="constant"),
        pytest.param("p.add_argument('--gradient-accumulation-steps', default=8)", 8, id="option"),
        pytest.param("class Config:\n    accum_iter: int = 2", 2, id="field"),
        pytest.param("accum_steps = 4 * n", None, id="unknown-is-silent"),
    ],
)
def test_accumulation(source: str, steps: int | None) -> None:
    """Gradients live through the forward passes of a window."""
    found = hints(source).accumulate
    assert (found.value if found else None) == steps


@pytest.mark.parametrize("source", ["deepspeed.ops.Adam(p)", "adam(p)", "Adamish(p)"])
def test_other_optimizers_are_not_taken(source: str) -> None:
    """Only classes of torch.optim."""
    assert hints(source).optimizer is None


@pytest.mark.parametrize(
    ("source", "precision"),
    [
        ("torch.autocast('cuda', dtype=torch.bfloat16)", "amp-bf16"),
        ("torch.autocast('cuda', dtype=torch.float16)", "amp-fp16"),
        ("torch.cuda.amp.autocast()", "amp-fp16"),
        ("autocast(device_type='cuda', dtype=torch.bfloat16, enabled=True)", "amp-bf16"),
        ("autocast('cuda', enabled=args.amp)", None),
        ("p.add_argument('--amp', action='store_true')\nautocast('cuda', enabled=args.amp)", None),
        ("p.add_argument('--no-amp', action='store_true')\nautocast('cuda', enabled=not args.no_amp)", "amp-fp16"),
        (
            "p.add_argument('--amp', default=torch.cuda.is_available())\nautocast(d, torch.half, enabled=a.amp)",
            "amp-fp16",
        ),
        ("torch.autocast(device.type, dtype=torch.float16)", "amp-fp16"),
        ("autocast(device_type='cpu', dtype=torch.bfloat16)", None),
        ("autocast('cuda', enabled=False)", None),
        ("autocast('cpu', dtype=torch.bfloat16)", None),
        ("autocast('cuda', dtype=ptdtype)", None),
        ("T = {'a': torch.half, 'b': torch.bfloat16}\nautocast('cuda', dtype=T['b'])", "amp-bf16"),
        ("t = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.half\nautocast('cuda', dtype=t)", "amp-bf16"),
        ("class C:\n    p: str = 'fp16'\nautocast('cuda', dtype=torch.half, enabled=self.c.p != 'fp32')", "amp-fp16"),
        ("class C:\n    p: str = 'fp32'\nautocast('cuda', dtype=torch.half, enabled=self.c.p != 'fp32')", None),
        ("a = b\nb = a\nautocast('cuda', enabled=a and True)", None),
        (
            "class C:\n    p: str = 'x'\ndef f():\n    p = c.p\n    autocast(d, torch.half, enabled=p == 'x')",
            "amp-fp16",
        ),
        ("self.autocast()", None),
    ],
)
def test_precision(source: str, precision: str | None) -> None:
    """Autocast that a variable switches says nothing certain."""
    found = hints(source).precision
    assert (found.value if found else None) == precision


@pytest.mark.parametrize(
    ("source", "doubt"),
    [
        ("autocast('cuda', enabled=args.amp)", "the switch of autocast on line 1"),
        ("autocast('cuda', dtype=ptdtype)", "the type of autocast on line 1"),
        ("autocast('cuda', enabled=False)", ""),
    ],
)
def test_precision_in_doubt_is_said(source: str, doubt: str) -> None:
    """fp32 is an assumption there, and the report lists it."""
    assert " ".join(hints(source).doubts["precision"]).startswith(doubt)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        pytest.param("Adam(g.parameters())\nAdam(d.parameters())", "g (line 1), d (line 2)", id="two-models"),
        pytest.param("Adam(g.parameters())\nSGD(g.parameters())", "", id="one-model"),
        pytest.param("ema = AveragedModel(model)", "AveragedModel(model) on line 1", id="average"),
        pytest.param("self.ema = copy.deepcopy(model)", "copy.deepcopy(model) on line 1", id="copy"),
        pytest.param("x = copy.deepcopy(settings)", "", id="copy-of-something-else"),
    ],
)
def test_what_stands_beside_the_model_is_said(source: str, said: str) -> None:
    """A second model or a second set of weights takes memory that the estimate does not have."""
    beside = hints(source).beside
    assert bool(beside) == bool(said)
    assert said in " ".join(beside)


@pytest.mark.parametrize(
    ("source", "size"),
    [
        pytest.param("def main(batch_size=96): ...", 96, id="default-of-a-parameter"),
        pytest.param("def main():\n    batch_size = 2 * 48", 96, id="computed-in-a-function"),
        pytest.param("def a():\n    batch_size = 1\ndef b():\n    batch_size = 2", None, id="two-values"),
        pytest.param("batch_size = 96 // 0", None, id="no-number"),
        pytest.param("batch_size = 9 ** 9", None, id="powers-are-left-alone"),
    ],
)
def test_batch_in_functions_and_arithmetic(source: str, size: int | None) -> None:
    """One value in the whole file is certain; several are not."""
    found = hints(source).batch
    assert (found.value if found else None) == size


def test_loss_clipping_and_zero_grad() -> None:
    """The first loss, the norm where it is literal, and gradients that are kept."""
    found = hints("crit = nn.MSELoss()\nclip_grad_norm_(p, max_norm=0.5)\nopt.zero_grad(set_to_none=False)")
    assert found.loss is not None
    assert found.loss.value == "mse_loss"
    assert found.clip is not None
    assert found.clip.value == 0.5
    assert found.zero_grad is not None
    assert hints("clip_grad_norm_(p, args.c)").clip is not None


def test_option_beats_file_beats_default() -> None:
    """Every setting says where it came from."""
    found = hints("batch_size = 12\noptim.Adam(p)\nautocast()")
    decided = decide_settings(EstimateOptions(batch=3, freeze=("a.*",)), found, "train.py", False)
    assert decided.sources["batch"] == Setting(3, "--batch")
    assert decided.sources["precision"] == Setting("amp-fp16", "train.py:3")
    assert decided.sources["optimizer"] == Setting("adam", "train.py:2")
    assert decided.sources["accumulate"] == Setting(1, "default")
    assert decided.sources["freeze"] == Setting("a.*", "--freeze")
    assert decide_settings(EstimateOptions(), Hints(), "", False).batch == 8


def test_optimizer_hook_beats_the_file_and_loses_to_the_option() -> None:
    """build_optimizer() of the file is used unless --optimizer is given."""
    found = hints("optim.Adam(p)")
    assert decide_settings(EstimateOptions(), found, "t.py", True).sources["optimizer"].value == "build_optimizer()"
    options = EstimateOptions(optimizer=OptimizerSpec("sgd", (("momentum", 0.9),)))
    assert decide_settings(options, found, "t.py", True).sources["optimizer"] == Setting(
        "sgd:momentum=0.9", "--optimizer"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"def f(:", "does not parse: invalid syntax on line 1", id="syntax"),
        pytest.param(b"# coding: latin-9000\n", "does not parse", id="coding"),
        pytest.param(b"x = '\xff'\n", "encoding", id="bytes"),
        pytest.param(b"\0", "does not parse", id="nul"),
        pytest.param(b"def build_model(width): ...", "build_model in m.py needs width", id="arguments"),
    ],
)
def test_unusable_files(tmp_path: Path, content: bytes, message: str) -> None:
    """Each gets one message, without PyTorch."""
    path = tmp_path / "m.py"
    path.write_bytes(content)
    with pytest.raises(TargetError, match=message) as caught:
        plan_file(path, None, {})
    assert caught.value.help


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("nowhere.py", "no file"),
        ("nowhere.json", "no file"),
        ("nowhere.py:name", "no file"),
        ("no_such_package.module:name", "no module"),
        ("something", "no target"),
        ("huggingface/gpt2", "no target"),
        ("timm/", "no target"),
        ("folder:not-a-name", "no target"),
    ],
)
def test_targets_that_are_none(target: str, message: str) -> None:
    """The help says what there is to give."""
    with pytest.raises(TargetError, match=message) as caught:
        plan_target(target, EstimateOptions())
    assert caught.value.help


@pytest.mark.parametrize("target", ["torchvision/resnet50", "timm/vit.in1k", "hf/gpt2"])
def test_zoo_targets_have_no_plan(target: str) -> None:
    """They are checked in the child, where the library is."""
    assert plan_target(target, EstimateOptions()) is None


def test_module_target_is_found_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``package.module:name`` without importing the package."""
    package = tmp_path / "pkg" / "sub"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    (package / "net.py").write_text("def make(): ...")
    monkeypatch.chdir(tmp_path)
    plan = plan_target("pkg.sub.net:make", EstimateOptions())
    assert plan is not None
    assert plan.entry.expression == "make()"
    assert plan.path == package / "net.py"


def test_two_names_for_the_entry_are_refused(tmp_path: Path) -> None:
    """The target's and the option's must agree."""
    path = tmp_path / "m.py"
    path.write_text("def a(): ...\ndef b(): ...")
    with pytest.raises(OptionError, match="'a' and --entry names 'b'"):
        plan_target(f"{path}:a", EstimateOptions(entry="b"))
    plan = plan_target(f"{path}:a", EstimateOptions(entry="a"))
    assert plan is not None
    assert plan.entry.name == "a"
