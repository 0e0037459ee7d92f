def backward_and_step(loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
