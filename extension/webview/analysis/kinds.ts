// The two labels of times, where they are not the plain ones.

interface Labels {
  readonly time_kind: "measured" | "predicted" | "mixed";
  readonly attribution?: "exact" | "apportioned" | "mixed";
}

/** What is to be known of times besides `≈`; empty for nothing. */
export function labelsText({ time_kind: kind, attribution = "exact" }: Labels): string {
  const words = [
    kind === "mixed" ? "partly predicted" : "",
    attribution === "apportioned" ? "apportioned" : "",
    attribution === "mixed" ? "partly apportioned" : "",
  ];
  return words.filter((word) => word !== "").join(", ");
}
