import torch


class SeqTrainer:
    def __init__(self, model, optimizer, accum):
        self.model, self.optimizer, self.accum = model, optimizer, accum

    def micro_step(self, batch):
        out = self.model(**{k: v.cuda() for k, v in batch.items()})
        (out.loss / self.accum).backward()  # expect: DNN209
        return out.loss.item()

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
            loss = sum(self.micro_step(b) for b in window) / len(window)
            self.update()
            window = []
            print(f"loss {loss:.4f}")
