/** How many times as many cases of a law the soak tries. Every run of tests generates the same ones, so there few are enough. */
const SCALE = Number(process.env.REMIT_TEST_SCALE ?? 1);

/** So many generated cases in a run of tests, and more of them in the soak: a multiple of `soaked`. */
export function cases(count: number, soaked = count): number {
  return SCALE === 1 ? count : Math.ceil(soaked * SCALE);
}
