# .step() of a profiler, of an environment and of an EMA in front of optimizer.step().
import torch
from torch.profiler import profile


def rollout(env, policy, ema, horizon):
    opt = torch.optim.Adam(policy.parameters(), lr=1e-3)
    observation = env.reset()
    with profile() as prof:
        for _ in range(horizon):
            prof.step()
            action = policy(observation).sample()
            observation, reward, done, _ = env.step(action)
            loss = -policy.log_prob(action) * reward
            opt.zero_grad()
            loss.backward()
            ema.step(policy.parameters())
            opt.step()
            if done:
                observation = env.reset()
