# loss /= n and scale(loss / n).
import torch


class Trainer:
    def __init__(self, model, opt, accum_iter=4):
        self.model, self.opt, self.accum_iter = model, opt, accum_iter
        self.scaler = torch.amp.GradScaler("cuda")

    def epoch(self, loader):
        for i, (a, b) in enumerate(loader):
            with torch.autocast("cuda", dtype=torch.float16):
                loss = self.model(a.cuda(), b.cuda())
            loss /= self.accum_iter
            self.scaler.scale(loss / self.accum_iter).backward()  # expect: DNN202
            if (i + 1) % self.accum_iter == 0:
                self.scaler.step(self.opt)
                self.scaler.update()
                self.opt.zero_grad()
