// A chart's parts with the fields that a test does not care for.

import type { RooflineDot, Roofs } from "../../../../extension/src/documents";
import type { ChartedDot } from "../../../../extension/webview/roofline/model/plane";

export const ROOFS: Roofs = {
  core: "trn2, LNC 2",
  compute: [
    { dtype: "bf16", flops_per_s: 1e14, ridge_points: { HBM: 100, DMA: 50 }, source: "a page" },
    { dtype: "fp16", flops_per_s: 1e14, ridge_points: { HBM: 100, DMA: 50 }, source: "a page" },
    { dtype: "fp32", flops_per_s: 1e13, ridge_points: { HBM: 10, DMA: 5 }, source: "a page" },
  ],
  memory: [
    { memory: "DMA", bytes_per_s: 2e12, source: "a page" },
    { memory: "HBM", bytes_per_s: 1e12, source: "a page" },
  ],
};

/** A dot of 2 µs in 4 steps that does 4 MFLOP with 2 MB. */
export function dotOf(changes: Partial<RooflineDot> = {}): RooflineDot {
  return {
    name: "model.py:3",
    file: "/p/model.py",
    line: 3,
    intensity: 2,
    ridge_point: 10,
    attainable_flops_per_s: 2e12,
    achieved_flops_per_s: 5e11,
    roof_ns: 2_000,
    times_faster_at_roof: 4,
    device_ns: 8_000,
    time_kind: "measured",
    time_ns: 8_000,
    rate_kind: "measured",
    predicted_ns: null,
    attribution: "exact",
    dtype: "fp32",
    flops: 4_000_000,
    hbm_bytes: 2_000_000,
    bound: "memory",
    ...changes,
  };
}

export function charted(intensity: number, rate: number, deviceNs = 8_000): ChartedDot {
  const place = { intensity, achieved_flops_per_s: rate };
  return { ...dotOf({ device_ns: deviceNs }), ...place };
}
