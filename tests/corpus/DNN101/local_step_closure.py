# The step is a local function that closes over model and optimizer.
import torch


def fit(model, dataset, total_steps):
    model = model.to("cuda")
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-4)
    loader = torch.utils.data.DataLoader(dataset, batch_size=64, shuffle=True, num_workers=8)

    def one_step(x, y):
        opt.zero_grad()
        with torch.autocast("cuda", torch.float16):
            out = model(x)
            loss = torch.nn.functional.mse_loss(out, y)
        loss.backward()  # expect: DNN101
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        return loss.detach()

    done = 0
    while done < total_steps:
        for x, y in loader:
            loss = one_step(x.to("cuda"), y.to("cuda"))
            done += 1
            if done % 200 == 0:
                print(done, float(loss))
            if done == total_steps:
                break
    return model
