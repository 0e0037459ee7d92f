from lightning.fabric import Fabric


class FabricTrainer:
    def __init__(self, model, optimizer):
        self.fabric = Fabric(accelerator="cuda", devices=1, precision="bf16-mixed")
        self.fabric.launch()
        self.model, self.optimizer = self.fabric.setup(model, optimizer)

    def fit(self, train, val, epochs):
        train, val = self.fabric.setup_dataloaders(train, val)
        for epoch in range(epochs):
            self.model.train()
            for batch in train:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                self.fabric.backward(loss)
                self.fabric.clip_gradients(self.model, self.optimizer, max_norm=1.0)
                self.optimizer.step()
            self.model.eval()
            metric = self.validate(val)  # or: DNN502
            self.fabric.print(epoch, loss.item(), metric)
            self.fabric.save("state.ckpt", {"model": self.model, "optimizer": self.optimizer, "epoch": epoch})
