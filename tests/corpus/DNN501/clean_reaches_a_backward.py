# The list of losses is stacked and differentiated: it has to keep the graph.
import torch


def episode_update(policy, env, opt, gamma=0.99):
    log_probs, rewards = [], []
    state, done = env.reset(), False
    while not done:
        dist = policy(torch.as_tensor(state))
        action = dist.sample()
        log_probs.append(dist.log_prob(action))
        state, reward, done, _ = env.step(action.item())
        rewards.append(reward)
    ret, returns = 0.0, []
    for r in reversed(rewards):
        ret = r + gamma * ret
        returns.insert(0, ret)
    loss = -(torch.stack(log_probs) * torch.tensor(returns)).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return sum(rewards)


def train(policy, env, episodes):
    opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
    for i in range(episodes):
        print(i, episode_update(policy, env, opt))
