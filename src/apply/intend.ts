import { ours } from "../diff/own.js";
import type { Key } from "../model/key.js";
import type { Step } from "../plan/step.js";
import type { Context } from "./context.js";
import { LEAVES_WITHIN } from "./patience.js";

/** What was put on record of one call of a step. */
export interface Intent {
  /** Puts it on record once more where that was too long ago; to be waited for before each time the call leaves. */
  readonly renew: () => Promise<void>;
}

/** Puts on record what one call of a step is about to do; when it resolves the call may leave. */
export async function intend(step: Step, place: number, key: Key | null, context: Context): Promise<Intent> {
  const { record, patience } = context;
  const { address, action, identity } = step;
  const once = step.calls[place]?.effect === "once";
  let at = 0;
  async function write(): Promise<void> {
    at = patience.clock.elapsed();
    await record({
      type: "intended",
      address,
      action,
      key,
      identity,
      applied: ours(step.after ?? {}, step.owned),
      protected: step.protected,
      call: place,
      of: step.calls.length,
      once,
    });
  }
  await write();
  // Only of a create does anybody ask later when it left.
  return { renew: async () => (once && patience.clock.elapsed() - at > LEAVES_WITHIN ? write() : undefined) };
}

/**
 * Whether a step's intent may be recorded while it still waits for its turn, so that the turn is not spent on waiting
 * for the disk. A create that nobody could read back may not: cut off in between, it would be in doubt and never was
 * sent.
 */
export function mayWait({ calls }: Step, { readBack }: Pick<Context, "readBack">): boolean {
  return calls[0]?.effect !== "once" || readBack !== null;
}
