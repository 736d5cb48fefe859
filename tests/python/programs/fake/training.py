"""A training loop of many parts, which runs alike with values and without."""

import torch
from torch import nn
from torch.nn import functional

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 32)
        self.attend = nn.MultiheadAttention(32, 4, batch_first=True)
        self.norm = nn.LayerNorm(32)
        self.conv = nn.Conv1d(32, 32, 3, padding=1)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(32, 50)

    def forward(self, tokens):
        x = self.embed(tokens)
        y, _ = self.attend(x, x, x, need_weights=False)
        x = self.norm(x + self.drop(y))
        x = self.conv(x.transpose(1, 2)).transpose(1, 2)
        heads = x.reshape(4, 8, 4, 8).transpose(1, 2)
        z = functional.scaled_dot_product_attention(heads, heads, heads, is_causal=True)
        x = x + z.transpose(1, 2).reshape(4, 8, 32)
        x = functional.softmax(x, -1) * functional.gelu(x)
        x = functional.rms_norm(x, (32,))
        return self.head(x)


net = Net()
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1)
for _ in range(3):
    tokens = torch.randint(50, (4, 8))
    optimizer.zero_grad()
    logits = net(tokens)
    loss = functional.cross_entropy(logits.view(-1, 50), tokens.view(-1))
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    schedule.step()

net.eval()
with torch.no_grad():
    net(tokens).argmax(-1)
