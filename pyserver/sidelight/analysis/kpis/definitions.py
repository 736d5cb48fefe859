"""What the key figures mean: one text, wherever they are shown. Cheap to import."""

from __future__ import annotations

from typing import Final

import msgspec

_SCHEMA: Final = (
    "AWS Neuron SDK documentation, SDK 2.32.0 (aws-neuron-sdk 81ce03a), "
    "profile-schema-reference.rst, table Summary"
)
_PALM: Final = "Chowdhery et al., PaLM: Scaling Language Modeling with Pathways, 2022, appendix B"
_ROOFLINE: Final = "Williams, Waterman and Patterson, Communications of the ACM 52(4), 2009"
_PLAIN: Final = "defined here"


class Definition(msgspec.Struct, frozen=True):
    """What a figure means.

    Attributes:
        name: Its short name.
        title: Its long name.
        text: What it says, in a sentence or two.
        formula: How it is worked out.
        source: Who defined it so.
    """

    name: str
    title: str
    text: str
    formula: str
    source: str


DEFINITIONS: Final = (
    Definition(
        "MFU",
        "model FLOPs utilisation",
        "How much of the Tensor Engines' peak the model's own arithmetic uses. Work that is done "
        "twice, and turning data round, is no gain.",
        "model FLOPs / (peak FLOP/s x total time); where the compiler did not count the model's, "
        "the instructions' FLOPs without transposes",
        f"{_SCHEMA}; the notion: {_PALM}",
    ),
    Definition(
        "HFU",
        "hardware FLOPs utilisation",
        "How much of the Tensor Engines' peak is used at all, by whatever they compute.",
        "hardware FLOPs / (2 x rows x columns x clock x physical cores x total time)",
        f"{_SCHEMA}; the notion: {_PALM}",
    ),
    Definition(
        "MBU",
        "memory bandwidth utilisation",
        "How much of HBM's bandwidth is used. Generating tokens one by one is mostly bound by it.",
        "(bytes read from HBM + bytes written) / (HBM bandwidth x total time)",
        _SCHEMA,
    ),
    Definition(
        "step time",
        "step time",
        "From one step's boundary to the next, on the host's clock.",
        "median and percentiles over the recorded steps, between neighbouring steps in proportion",
        _PLAIN,
    ),
    Definition(
        "samples per second",
        "samples per second",
        "How many sequences a step of median length reads in a second. Known where every step "
        "looks up the same number of them in an embedding.",
        "sequences of a step / median step time",
        _PLAIN,
    ),
    Definition(
        "tokens per second",
        "tokens per second",
        "How many tokens a step of median length reads in a second. Known where every step looks "
        "up the same number of them in an embedding.",
        "tokens of a step / median step time",
        _PLAIN,
    ),
    Definition(
        "TTFT",
        "time to first token",
        "From the start of the call that reads the prompt until the device is done with it.",
        "last end of the call's device work - start of the call",
        _PLAIN,
    ),
    Definition(
        "per-token latency",
        "per-token latency",
        "From one token to the next, as a reader of the stream sees it.",
        "end of a call's device work - end of that of the call before it",
        _PLAIN,
    ),
    Definition(
        "end-to-end latency",
        "end-to-end latency",
        "From the start of the call that reads the prompt until the last token is there.",
        "end of the last call's device work - start of the first call, of one generation",
        _PLAIN,
    ),
    Definition(
        "context encoding throughput",
        "context encoding throughput",
        "How fast prompts are read.",
        "tokens of the prompts / sum of their TTFT",
        _PLAIN,
    ),
    Definition(
        "token generation throughput",
        "token generation throughput",
        "How fast tokens come once the prompt is read, of all sequences together.",
        "tokens generated after the first / sum of the per-token latencies",
        _PLAIN,
    ),
    Definition(
        "arithmetic intensity",
        "arithmetic intensity",
        "How much is computed for each byte that moves between HBM and the core.",
        "FLOPs / HBM bytes",
        _ROOFLINE,
    ),
    Definition(
        "ridge point",
        "ridge point",
        "The arithmetic intensity from which on the peak, and no longer the memory, is the limit.",
        "peak FLOP/s / bandwidth",
        _ROOFLINE,
    ),
    Definition(
        "faster at roof",
        "how much faster at its roof",
        "How many times as fast the same work could be done, were the chip used to its limit.",
        "time / max(FLOPs / peak, HBM bytes / HBM bandwidth, time that NeuronLink takes)",
        _ROOFLINE,
    ),
)
"""All of them, in the order in which they are shown."""
