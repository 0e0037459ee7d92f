# A typer option whose default is fp16; the mapping to torch happens in a helper of the same file.
import torch
import typer
from torch import nn

app = typer.Typer()


def pick_dtype(name: str) -> torch.dtype:
    if name == "fp16":
        return torch.float16
    if name == "bf16":
        return torch.bfloat16
    return torch.float32


@app.command()
def train(precision: str = typer.Option("fp16"), steps: int = 1000):
    model = nn.TransformerEncoderLayer(256, 8, batch_first=True).cuda()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    dtype = pick_dtype(precision)
    for _ in range(steps):
        noisy = torch.randn(8, 64, 256, device="cuda")
        opt.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = (model(noisy) - noisy).abs().mean()
        loss.backward()  # expect: DNN101
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        opt.step()


if __name__ == "__main__":
    app()
