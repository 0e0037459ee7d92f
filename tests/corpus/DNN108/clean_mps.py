# Apple GPU: no CUDA anywhere.
import torch

device = torch.device("mps" if torch.backends.mps.is_available() else "cpu")
model = torch.nn.LSTM(8, 64, batch_first=True).to(device)
opt = torch.optim.Adam(model.parameters())
for _ in range(100):
    x = torch.randn(16, 50, 8, device=device)
    opt.zero_grad()
    model(x)[0].pow(2).mean().backward()
    opt.step()
