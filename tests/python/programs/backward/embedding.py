import torch
import torch.nn.functional as F

table = torch.randn(10, 4, requires_grad=True)
tokens = torch.tensor([[1, 2, 3], [3, 0, 9]])

looked_up = F.embedding(tokens, table, padding_idx=0)
bags = F.embedding_bag(tokens, table, mode="mean")
tied = F.linear(looked_up, table)
gathered = tied.gather(-1, tokens.unsqueeze(-1)).squeeze(-1)
selected = table.index_select(0, tokens[0])
loss = F.cross_entropy(tied.flatten(0, 1), tokens.flatten()) + gathered.mean()
loss = loss + bags.sum() + selected.sum()
loss.backward()
