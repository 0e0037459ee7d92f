# Of two optimizers only one is cleared.
import torch
from torch import nn


def train(encoder, decoder, loader):
    enc_opt = torch.optim.Adam(encoder.parameters())
    dec_opt = torch.optim.Adam(decoder.parameters())
    for x in loader:
        enc_opt.zero_grad()
        out = decoder(encoder(x))
        loss = nn.functional.mse_loss(out, x)
        loss.backward()  # expect: DNN503
        enc_opt.step()
        dec_opt.step()
