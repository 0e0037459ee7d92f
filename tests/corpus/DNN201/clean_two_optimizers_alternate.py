# Two players take turns by parity: each has its own backward, clearing and step.
import torch


def train(attacker, defender, rounds, game):
    oa = torch.optim.Adam(attacker.parameters())
    od = torch.optim.Adam(defender.parameters())
    for i in range(rounds):
        state = game.reset()
        if i % 2 == 0:
            oa.zero_grad()
            loss = attacker.loss(state, defender)
            loss.backward()
            oa.step()
        else:
            od.zero_grad()
            loss = defender.loss(state, attacker)
            loss.backward()
            od.step()
