import { interrupted } from "../commandLine/exit.js";
import type { Signal, World } from "./world.js";

/** A user's wish to stop. */
export interface Interrupts {
  /** Aborted by the first signal, with its name as the reason. */
  readonly first: AbortSignal;
  /** The signal that came, or null. */
  readonly signal: () => Signal | null;
  readonly close: () => void;
}

/** What is shown while a run goes on, as far as a signal touches it. */
export interface Shown {
  readonly say: (text: string) => void;
  readonly end: () => void;
}

/** Lets the first signal end a run in order; the second leaves at once. */
export function listenForInterrupts(world: World, shown: Shown, unsettled: () => number): Interrupts {
  const controller = new AbortController();
  let signal: Signal | null = null;
  const close = world.onSignal((came) => {
    if (signal === null) {
      signal = came;
      controller.abort(came);
      shown.say("\nFinishing what is under way; nothing more is begun. Again to leave at once.");
      return;
    }
    const count = unsettled();
    shown.end();
    world.stderr.write(
      count === 0
        ? "\nLeft. Nothing was under way.\n"
        : `\nLeft with ${count} under way. The next plan or apply finds out what became of them.\n`,
    );
    world.leave(interrupted(came));
  });
  return { first: controller.signal, signal: () => signal, close };
}
