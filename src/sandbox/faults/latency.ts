/** A delay before each answer: fixed, even between two bounds, or long-tailed with a median and a 99th percentile. */
export type Latency = { readonly fault: "latency" } & (
  | { readonly milliseconds: number }
  | { readonly between: readonly [number, number] }
  | { readonly median: number; readonly p99: number }
);

/** The 99th percentile of the normal distribution. */
const Z99 = 2.3263;

/** The delay in milliseconds for a draw from 0 up to 1. */
export function delayOf(latency: Latency, draw: number): number {
  if ("milliseconds" in latency) return latency.milliseconds;
  if ("between" in latency) return latency.between[0] + draw * (latency.between[1] - latency.between[0]);
  const sigma = Math.log(latency.p99 / latency.median) / Z99;
  return latency.median * Math.exp(sigma * normal(draw));
}

/** The normal quantile, near enough for a delay (Tukey's lambda). */
function normal(draw: number): number {
  const p = Math.min(Math.max(draw, 0.0001), 0.9999);
  return (p ** 0.1349 - (1 - p) ** 0.1349) / 0.1975;
}
