"""Two optimizers that step one after the other in each iteration."""

import sys

import torch
from torch import nn

torch.manual_seed(0)


class Recommender(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(32, 8, sparse=True)
        self.head = nn.Linear(8, 1)

    def forward(self, items):
        vectors = self.embedding(items)  #: lookup
        return self.head(vectors)  #: head


model = Recommender()
sparse = torch.optim.SparseAdam(model.embedding.parameters())
dense = torch.optim.Adam(model.head.parameters())

for _ in range(int(sys.argv[1])):
    sparse.zero_grad()
    dense.zero_grad()
    items = torch.randint(32, (4,))  #: data
    loss = model(items).square().mean()  #: loss
    loss.backward()  #: backward
    sparse.step()  #: sparse_step
    dense.step()  #: dense_step
