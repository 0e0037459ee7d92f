# Nothing is trained here; .step() belongs to an environment.
import torch


@torch.no_grad()
def play(env, policy, episodes):
    returns = []
    for _ in range(episodes):
        state, done, total = env.reset(), False, 0.0
        while not done:
            action = policy(torch.as_tensor(state)).argmax().item()
            state, reward, done, _ = env.step(action)
            total += reward
        returns.append(total)
    return sum(returns) / len(returns)
