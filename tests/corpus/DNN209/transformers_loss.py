import argparse

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

parser = argparse.ArgumentParser()
parser.add_argument("--accum", type=int, default=16)
args = parser.parse_args()

tokenizer = AutoTokenizer.from_pretrained("gpt2")
model = AutoModelForCausalLM.from_pretrained("gpt2").cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)


def collate(texts):
    return tokenizer(texts, padding=True, return_tensors="pt")


for step, batch in enumerate(loader):
    outputs = model(**batch)
    loss = outputs.loss / args.accum
    loss.backward()  # expect: DNN209
    if (step + 1) % args.accum == 0:
        optimizer.step()
        optimizer.zero_grad()
