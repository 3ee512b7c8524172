/** How many times as many cases of a law the soak tries. Every run of tests generates the same ones, so there few are enough. */
const SCALE = Number(process.env.REMIT_TEST_SCALE ?? 1);

/** So many generated cases in a run of tests, and more of them in the soak. */
export function cases(count: number): number {
  return Math.ceil(count * SCALE);
}
