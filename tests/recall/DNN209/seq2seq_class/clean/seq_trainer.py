import torch
import torch.nn.functional as F


class SeqTrainer:
    def __init__(self, model, optimizer, accum):
        self.model, self.optimizer, self.accum = model, optimizer, accum

    def micro_step(self, batch, window_tokens):
        batch = {k: v.cuda() for k, v in batch.items()}
        logits = self.model(**batch).logits
        loss = F.cross_entropy(logits.flatten(0, 1), batch["labels"].flatten(), ignore_index=-100, reduction="sum")
        (loss / window_tokens).backward()
        return loss.item() / window_tokens

    def update(self):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)

    def fit(self, loader):
        window = []
        for batch in loader:
            window.append(batch)
            if len(window) < self.accum:
                continue
            tokens = sum(int((b["labels"] != -100).sum()) for b in window)
            loss = sum(self.micro_step(b, tokens) for b in window)
            self.update()
            window = []
            print(f"loss {loss:.4f}")
