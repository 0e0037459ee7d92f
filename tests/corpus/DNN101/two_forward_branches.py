# One branch computes the loss under float16 autocast, both share a plain backward.
import argparse

import torch
from torch import nn

ap = argparse.ArgumentParser()
ap.add_argument("--fp16", action="store_true", help="run the forward pass in half precision")
ap.add_argument("--epochs", default=3, type=int)
opts = ap.parse_args()

encoder = nn.LSTM(40, 320, num_layers=3, batch_first=True).cuda()
head = nn.Linear(320, 29).cuda()
params = [*encoder.parameters(), *head.parameters()]
sgd = torch.optim.SGD(params, lr=1e-3, momentum=0.9, nesterov=True)
ctc = nn.CTCLoss(zero_infinity=True)

from speech import batches  # noqa: E402

for epoch in range(opts.epochs):
    for mel, mel_len, text, text_len in batches():
        sgd.zero_grad()
        if opts.fp16:
            with torch.autocast(device_type="cuda", dtype=torch.float16):
                logp = head(encoder(mel.cuda())[0]).log_softmax(-1)
                loss = ctc(logp.transpose(0, 1).float(), text, mel_len, text_len)
        else:
            logp = head(encoder(mel.cuda())[0]).log_softmax(-1)
            loss = ctc(logp.transpose(0, 1), text, mel_len, text_len)
        loss.backward()  # expect: DNN101
        nn.utils.clip_grad_norm_(params, 400.0)
        sgd.step()
