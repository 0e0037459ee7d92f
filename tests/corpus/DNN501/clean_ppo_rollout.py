# The rollout is collected under no_grad; the update recomputes everything with a graph.
import torch


def rollout(policy, env, horizon):
    states, actions, log_probs, rewards = [], [], [], []
    state = env.reset()
    for _ in range(horizon):
        with torch.no_grad():
            dist = policy(torch.as_tensor(state))
            action = dist.sample()
            log_probs.append(dist.log_prob(action))
        states.append(torch.as_tensor(state))
        actions.append(action)
        state, reward, done, _ = env.step(action.item())
        rewards.append(reward)
        if done:
            state = env.reset()
    return torch.stack(states), torch.stack(actions), torch.stack(log_probs), torch.tensor(rewards)


def train(policy, env, updates):
    opt = torch.optim.Adam(policy.parameters(), lr=3e-4)
    for _ in range(updates):
        states, actions, old, rewards = rollout(policy, env, 256)
        advantage = (rewards - rewards.mean()) / (rewards.std() + 1e-8)
        for _ in range(4):
            ratio = (policy(states).log_prob(actions) - old).exp()
            loss = -torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
