from lightning.fabric import Fabric


class DistributedTrainer:
    def __init__(self, model, optimizer_fn, accum):
        self.fabric = Fabric(accelerator="cuda", devices="auto", strategy="ddp")
        self.fabric.launch()
        self.model, self.optimizer = self.fabric.setup(model, optimizer_fn(model.parameters()))
        self.accum = accum

    def loss(self, batch):
        raise NotImplementedError
