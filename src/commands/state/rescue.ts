import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readJournal } from "../../apply/journal/journal.js";
import { readRescue } from "../../apply/rescue.js";
import { codeOf } from "../../cli/exitCode.js";
import { stateKeys } from "../../cli/open/store.js";
import type { Context } from "../../cli/run/context.js";
import { withState } from "../../cli/run/run.js";
import { type Address, formatAddress } from "../../model/address.js";
import { tame } from "../../report/text/visible.js";
import { openRescue } from "../../state/encryption/rescue.js";
import { StateError } from "../../state/store.js";
import { say } from "../../words/say.js";
import { commandOf } from "./recordingOf.js";
import { rescue as rescueState } from "./rescued.js";
import type { StateFlags } from "./usage.js";

/** Milliseconds to wait for the lock: the run that wrote the file could not give it up, and its lease must pass. */
const LOCK_TIMEOUT = 300_000;

/** Whether the file is needed any longer: a write without an answer may have made an object. */
function openIn(open: number): string {
  if (open === 0) return "The file can be removed.";
  const writes = open === 1 ? "1 write has" : `${open} writes have`;
  return `${writes} no answer in the file: look for the objects with \`remit plan\`, and keep the file until then.`;
}

/** Brings answers into the state that a run could not write there. */
export default async function rescue(this: Context, flags: StateFlags, path: string): Promise<number> {
  const { world } = this;
  return withState(world, "state rescue", flags, async (run) => {
    const { store, project } = run;
    const text = await readFile(resolve(world.cwd, path), "utf8").catch(() => null);
    const file = text === null ? null : readRescue(openRescue(text, store.name, stateKeys(project)), path);
    if (file === null) throw new StateError(say("state/rescue#noRescue", { file: path }));
    const { brought, left } = await rescueState(file, store, commandOf(run), LOCK_TIMEOUT);
    const report = (address: Address, what: string) =>
      world.stdout.write(`${tame(formatAddress(address))}: ${what}\n`);
    for (const address of brought) report(address, "its answer is in the state now");
    for (const address of left) report(address, "left as it is: the state does not wait for this answer");
    const { length: open } = readJournal(file.lines).pending;
    world.stdout.write(`${brought.length} brought in, ${left.length} left. ${openIn(open)}\n`);
    return codeOf("done");
  });
}
