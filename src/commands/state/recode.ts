import { codeOf } from "../../cli/exitCode.js";
import { openKept } from "../../cli/open/store.js";
import type { Context } from "../../cli/run/context.js";
import { withState } from "../../cli/run/run.js";
import { tame } from "../../report/text/visible.js";
import type { StateKey } from "../../state/encryption/key.js";
import { recode } from "../../state/encryption/recode.js";
import type { MovingStore } from "../../state/move.js";
import { StateError } from "../../state/store.js";
import { say } from "../../words/say.js";
import { LOCK_TIMEOUT } from "./forget.js";
import { recordingOf } from "./recordingOf.js";
import type { StateFlags } from "./usage.js";

/** Encrypts the state with the first key of `REMIT_STATE_KEY`; the state may be readable, or have one of the other keys. */
export async function encrypt(this: Context, flags: StateFlags): Promise<number> {
  return saveAgain(this, flags, "state encrypt", ({ encryption: { keys } }) => {
    const [key] = keys;
    if (key === undefined) throw new StateError(say("state/key#noKey"));
    return { key, effect: `encrypted with the key ${key.id}` };
  });
}

/** Saves the state readable. */
export async function decrypt(this: Context, flags: StateFlags): Promise<number> {
  return saveAgain(this, flags, "state decrypt", () => {
    return { key: null, effect: "readable without a key from now on; unset REMIT_STATE_KEY" };
  });
}

function saveAgain(
  { world }: Context,
  flags: StateFlags,
  command: string,
  choose: (opened: MovingStore) => { readonly key: StateKey | null; readonly effect: string },
): Promise<number> {
  return withState(world, command, flags, async (run) => {
    const { project, owner } = run;
    const opened = await openKept(world, project);
    const { kept, encryption } = opened;
    const { key, effect } = choose(opened);
    const { history } = kept;
    const valuesFor = key === null ? 0 : (encryption.valuesFor ?? 0);
    const saved = await recode(
      kept,
      encryption,
      key,
      owner,
      { timeout: LOCK_TIMEOUT },
      recordingOf(run, { history, valuesFor }),
    );
    const what = saved === null ? "A state does not exist yet" : `The state is ${effect}`;
    world.stdout.write(`${tame(`${what} (${kept.name}).`)}\n`);
    return codeOf("done");
  });
}
