/** How long a limit that was found is kept before a higher one is tried. */
export interface TrialDelay {
  milliseconds(): number;
  /** A limit was found after a try that was vain or not. A next try costs so many milliseconds; the service counts in windows of that length. */
  found(isVain: boolean, cost: number, length?: number): void;
  /** A try has come far. */
  reset(): void;
}

/** Milliseconds; they double with each vain try. */
const FIRST = 3_000;
const LONGEST = 16_000;
/** What a try costs is so small a part of the time, up to a longest time. */
const PRICE = { parts: 56, longest: 40_000 };
/** What a window shows takes so many windows at least. */
const WINDOWS = 3;

/** Makes a delay before the first try. */
export function makeTrialDelay(): TrialDelay {
  let delay = FIRST;
  return {
    milliseconds: () => delay,
    found(isVain, cost, length = 0) {
      const next = isVain ? Math.min(delay * 2, LONGEST) : FIRST;
      const worth = Math.min(PRICE.longest, Math.max(cost * PRICE.parts, next));
      delay = Math.max(worth, length * WINDOWS);
    },
    reset() {
      delay = FIRST;
    },
  };
}
