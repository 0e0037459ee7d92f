# engine.step() clears.
import deepspeed

from giants import Net, chunks

net = Net()
engine, *_ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config="ds.json")
for ids in chunks():
    loss = engine(ids.to(engine.device))
    engine.backward(loss)
    engine.step()
