import lightning as L


class ManualModule(L.LightningModule):
    def __init__(self, lr):
        super().__init__()
        self.automatic_optimization = False
        self.lr = lr

    def optimise(self, loss):
        opt = self.optimizers()
        opt.zero_grad()
        self.manual_backward(loss)
        self.clip_gradients(opt, gradient_clip_val=1.0, gradient_clip_algorithm="norm")
        opt.step()
