# Trainer class: the float16 context is an attribute set in __init__ and entered in another method.
import torch


class Learner:
    def __init__(self, model, optimizer, train_loader, epochs):
        self.device = "cuda"
        self.model = model.to(self.device)
        self.optimizer = optimizer
        self.train_loader = train_loader
        self.epochs = epochs
        self.amp_context = torch.autocast(self.device, dtype=torch.float16)
        self.step_count = 0

    def compute_loss(self, batch):
        tokens = batch.to(self.device)
        logits = self.model(tokens[:, :-1])
        return torch.nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())

    def run_step(self, batch):
        self.optimizer.zero_grad()
        with self.amp_context:
            loss = self.compute_loss(batch)
        loss.backward()  # expect: DNN101
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.step_count += 1
        return loss.item()

    def fit(self):
        for epoch in range(self.epochs):
            self.model.train()
            for batch in self.train_loader:
                value = self.run_step(batch)
                if self.step_count % 100 == 0:
                    print(epoch, self.step_count, value)
