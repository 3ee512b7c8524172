import type { World } from "./world.js";

/** Shows that reading goes on. */
export interface ReadingProgress {
  readonly tick: (done: number) => void;
  readonly end: () => void;
}

const EVERY = 100;

/** On a terminal a line that counts the reads as they are done; elsewhere nothing, for nobody watches. */
export function readingProgress(
  { stderr, clock }: World,
  { quiet }: { readonly quiet: boolean },
): ReadingProgress {
  if (quiet || !stderr.isTerminal) return { tick: () => undefined, end: () => undefined };
  let shown = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    tick: (done) => {
      if (clock.elapsed() - shown < EVERY) return;
      shown = clock.elapsed();
      isShown = true;
      stderr.write(`\r\u001b[KReading the tenant: ${done} calls`);
    },
    end: () => {
      if (isShown) stderr.write("\r\u001b[K");
    },
  };
}
