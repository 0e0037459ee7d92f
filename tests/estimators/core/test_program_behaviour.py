"""What programs do on the simulated device: types, places, lifetimes and what is not known."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="the simulation needs PyTorch")

import torch
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from dnnlint.estimators.allocator import Category, NoteKind, Phase, Trace, Usage, replay
from dnnlint.estimators.simulation import (
    Mode,
    Precision,
    StepSettings,
    TrainingProgram,
    UnsupportedOperatorError,
    ZeroGrad,
    simulate,
    trace_program,
)

WIDTH = 256


class _Blocks(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.use_checkpoint = False
        self.layers = nn.ModuleList(
            [nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH)) for _ in range(6)]
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False) if self.use_checkpoint else layer(x)
        return x


def _program() -> TrainingProgram:
    return TrainingProgram(
        _Blocks,
        lambda batch: torch.zeros(batch, WIDTH),
        lambda model, inputs: model(inputs).square().mean(),
        lambda model: torch.optim.AdamW(model.parameters()),
    )


def _usage(settings: StepSettings, batch: int = 512) -> Usage:
    return replay(trace_program(_program(), batch, settings=settings))


def test_devices_read_as_on_cuda() -> None:
    """Tensors say where they are, and move there and back."""
    with simulate():
        host = torch.zeros(100, 100)
        device = host.cuda()
        assert (str(host.device), str(device.device), device.is_cuda, host.is_cuda) == ("cpu", "cuda:0", True, False)
        assert device.to("cpu").device.type == "cpu"
        assert torch.zeros(3, device="cuda").get_device() == 0
        assert torch.cuda.is_available()


def test_small_integers_keep_their_values() -> None:
    """Masks and positions have values on the device, so that programs take the branches they would take."""
    with simulate():
        mask = torch.tensor([[1, 1, 0]]).cuda()
        assert not bool((mask == 1).all())
        assert int(mask.sum()) == 2
        assert torch.arange(5, device="cuda").tolist() == [0, 1, 2, 3, 4]
        assert mask.nonzero().shape == (2, 2)


def test_an_unknown_value_is_a_noted_placeholder() -> None:
    """Reading a float gives a placeholder, and the trace says where."""
    with simulate() as simulation:
        assert torch.rand(10, device="cuda").sum().item() == 0.0
    notes = [note for note in simulation.trace.notes if note.kind is NoteKind.PLACEHOLDER]
    assert any("test_program_behaviour.py" in note.text for note in notes)


def test_an_operator_without_a_rule_ends_with_its_name() -> None:
    """No shape is guessed: the error names the operator."""
    with torch.library._scoped_library("dnnlint_test", "DEF") as library:
        library.define("mystery(Tensor x) -> Tensor")
        library.impl("mystery", lambda x: x.clone(), "CPU")
        with simulate(), pytest.raises(UnsupportedOperatorError, match=r"dnnlint_test\.mystery"):
            torch.ops.dnnlint_test.mystery(torch.zeros(3, device="cuda"))


def test_nothing_is_left_behind() -> None:
    """After the context PyTorch is as it was."""
    with simulate():
        pass
    assert torch.zeros(2).sum().item() == 0.0
    assert nn.Parameter(torch.ones(2)).tolist() == [1.0, 1.0]
    with torch.device("meta"):
        assert functional.dropout(torch.empty(4), 0.5).shape == (4,)


def test_tied_weights_stay_tied() -> None:
    """A shared parameter is counted once, however small."""
    with simulate() as simulation:
        model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
        model[1].weight = model[0].weight
        model = model.cuda()
        assert model[1].weight is model[0].weight
        simulation.watch(model)
    assert simulation.trace.parameter_count == 16 + 8


def test_autocast_casts_each_weight_once() -> None:
    """The half copies of weights live from the forward pass until autocast ends."""
    with simulate() as simulation:
        layer, x = nn.Linear(512, 512).cuda(), torch.zeros(8, 512, device="cuda")
        with torch.autocast("cuda", dtype=torch.float16):
            before = simulation.recorder.operators.count("aten::_to_copy")
            assert layer(layer(x)).dtype is torch.float16
            casts = simulation.recorder.operators.count("aten::_to_copy") - before
        assert functional.linear(x, layer.weight).dtype is torch.float32
    assert casts == 3


def test_checkpointing_trades_activations() -> None:
    """Checkpointed blocks keep their inputs and little else."""
    plain, saved = _usage(StepSettings()), _usage(StepSettings(checkpointing=True))
    assert saved.steady.peaks.allocated_bytes < plain.steady.peaks.allocated_bytes
    assert saved.at_peak.activations < plain.at_peak.activations / 2


def test_kept_gradients_stay_through_the_forward_pass() -> None:
    """``set_to_none=False`` raises the forward peak by the gradients."""
    none, keep = _usage(StepSettings(), 4096), _usage(StepSettings(zero_grad=ZeroGrad.KEEP), 4096)
    difference = keep.steady.phases[Phase.FORWARD].allocated_bytes - none.steady.phases[Phase.FORWARD].allocated_bytes
    assert difference == pytest.approx(none.at_peak.parameters, rel=0.01)


def test_the_first_step_has_no_states() -> None:
    """AdamW's two states appear in the first update."""
    usage = _usage(StepSettings(), 1024)
    states = usage.steady.peaks.allocated_bytes - usage.first.peaks.allocated_bytes
    assert states == pytest.approx(2 * usage.at_peak.parameters, rel=0.01)


def test_the_loop_keeps_its_variables() -> None:
    """The previous output lives until it is assigned anew."""
    program = TrainingProgram(
        _Blocks,
        lambda batch: torch.zeros(batch, WIDTH),
        lambda model, inputs: (lambda output: (output, output.square().mean()))(model(inputs)),
        lambda model: torch.optim.SGD(model.parameters(), lr=0.1),
    )

    def forward_peak(keeps: bool) -> int:
        usage = replay(trace_program(program, 512, settings=StepSettings(keeps_variables=keeps)))
        return usage.steady.phases[Phase.FORWARD].allocated_bytes

    output = 4 * 512 * WIDTH
    assert forward_peak(True) - forward_peak(False) == output + 512


def test_inference_keeps_no_activations() -> None:
    """Without gradients each intermediate dies at once."""
    usage = _usage(StepSettings(mode=Mode.INFERENCE))
    assert (usage.at_peak.gradients, usage.at_peak.optimizer_state) == (0, 0)
    assert usage.steady.peaks.allocated_bytes < _usage(StepSettings()).steady.peaks.allocated_bytes / 3


@pytest.mark.parametrize("precision", list(Precision))
def test_every_precision_runs(precision: Precision) -> None:
    """All precisions train, with clipping and accumulation, and the parts sum to the peak."""
    usage = _usage(StepSettings(precision=precision, accumulation=2, clip_grad_norm=1.0), 8)
    assert usage.at_peak.total_bytes == usage.steady.peaks.allocated_bytes
    assert sum(holder.size_bytes for holder in usage.holders) == usage.steady.peaks.allocated_bytes


@pytest.mark.parametrize(
    "name",
    [
        "SGD",
        "Adam",
        "AdamW",
        "RMSprop",
        "Adagrad",
        "Adadelta",
        "Adamax",
        "NAdam",
        "RAdam",
        "ASGD",
        "Rprop",
        "Adafactor",
    ],
)
def test_every_optimizer_steps(name: str) -> None:
    """Each optimizer of ``torch.optim`` runs three steps and its states are told apart."""

    def trace() -> Trace:
        program = _program()
        made = TrainingProgram(
            program.build_model,
            program.make_batch,
            program.training_loss,
            lambda model: getattr(torch.optim, name)(model.parameters(), lr=0.1),
        )
        return trace_program(made, 4)

    found = trace()
    assert found.steps == 3
    assert (Category.OPTIMIZER_STATE in found.categories) == (name != "SGD")


def test_recurrent_layers_run() -> None:
    """LSTM, GRU and their cells train without a cuDNN build."""

    class Recurrent(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.lstm, self.gru = nn.LSTM(16, 32, 2, batch_first=True), nn.GRU(32, 16, batch_first=True)
            self.cell = nn.GRUCell(16, 16)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            last = self.gru(self.lstm(x)[0])[0][:, -1]
            result: torch.Tensor = self.cell(last)
            return result

    program = TrainingProgram(
        Recurrent,
        lambda batch: torch.zeros(batch, 10, 16),
        lambda model, inputs: model(inputs).sum(),
        lambda model: torch.optim.Adam(model.parameters()),
    )
    usage = replay(trace_program(program, 4))
    assert usage.at_peak.optimizer_state == 2 * usage.at_peak.parameters


def test_default_type_decides_what_a_factory_makes() -> None:
    """A size that was seen under another default type is not remembered with that type."""
    with simulate():
        torch.set_default_dtype(torch.bfloat16)
        try:
            half = torch.empty(64, 64, device="cuda")
        finally:
            torch.set_default_dtype(torch.float32)
        full = torch.empty(64, 64, device="cuda")
        assert (half.dtype, full.dtype) == (torch.bfloat16, torch.float32)


def test_fill_value_may_lie_on_the_host() -> None:
    """CUDA takes a value without dimensions from the host."""
    with simulate():
        scores = torch.zeros(4, 4, device="cuda")
        filled = scores.masked_fill(scores == 0, torch.tensor(-1.0))
        assert filled.is_cuda
        assert filled.shape == (4, 4)


def test_generators_are_not_needed() -> None:
    """Overloads that insist on a generator run without drawing anything."""
    with simulate():
        assert torch.randperm(8, generator=torch.Generator(), device="cpu").shape == (8,)
        assert torch.randn(8, generator=torch.Generator(), device="cuda").is_cuda


@pytest.mark.parametrize(
    ("layer", "expected"),
    [
        pytest.param(nn.Conv2d(8, 16, 3, padding=1), (8 + 16) * 2 * 32 * 32 * 4, id="windows"),
        pytest.param(nn.Conv2d(8, 16, 1), 0, id="a matrix product"),
        pytest.param(nn.Conv2d(8, 8, 3, padding=1, groups=8), 0, id="depthwise, PyTorch's own kernel"),
    ],
)
def test_largest_convolution(layer: nn.Module, expected: int) -> None:
    """Input and output of a convolution for which cuDNN may take a workspace are kept."""
    with simulate() as simulation:
        layer.cuda()(torch.zeros(2, 8, 32, 32, device="cuda"))
        assert simulation.trace.convolution_bytes == expected
