# The generator is trained with a scaler, the small critic without autocast and without a scaler.
import torch


def train(flow, critic, loader, epochs):
    flow_opt = torch.optim.Adam(flow.parameters(), lr=1e-4)
    critic_opt = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
    scaler = torch.amp.GradScaler("cuda")
    for _ in range(epochs):
        for truth in loader:
            truth = truth.cuda()
            with torch.no_grad():
                sample = flow.sample(len(truth)).float()
            critic_opt.zero_grad()
            critic_loss = critic(sample).mean() - critic(truth).mean()
            critic_loss.backward()
            critic_opt.step()

            flow_opt.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                flow_loss = -critic(flow.sample(len(truth))).mean()
            scaler.scale(flow_loss).backward()
            scaler.step(flow_opt)
            scaler.update()
