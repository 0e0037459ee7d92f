import torch
import torch.nn.functional as F


def train(model, tokenizer, stream, steps, micro_batches):
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(steps):
        for _ in range(micro_batches):
            tokens, labels = next(stream)
            loss = F.cross_entropy(model(tokens).flatten(0, 1), labels.flatten(), ignore_index=tokenizer.pad_token_id)
            (loss / micro_batches).backward()  # expect: DNN209
        optimizer.step()
        optimizer.zero_grad()
