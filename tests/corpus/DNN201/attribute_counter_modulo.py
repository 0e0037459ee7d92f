# self.iteration counts; the update is in another method that tests it.
import torch


class Agent:
    UPDATE_EVERY = 4

    def __init__(self, net):
        self.net = net
        self.optim = torch.optim.SGD(net.parameters(), lr=1e-3)
        self.iteration = 0

    def learn(self, batch):
        state, action, target = batch
        value = self.net(state).gather(1, action)
        error = torch.nn.functional.mse_loss(value, target)
        error.backward()  # expect: DNN201
        self.iteration += 1
        self._maybe_update()

    def _maybe_update(self):
        if self.iteration % self.UPDATE_EVERY == 0:
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 10.0)
            self.optim.step()
            self.optim.zero_grad()


def run(agent, replay, steps):
    for _ in range(steps):
        agent.learn(replay.sample(64))
