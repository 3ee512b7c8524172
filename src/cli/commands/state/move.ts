import { tame } from "../../../entry/messages.js";
import { moveState } from "../../../entry/stores.js";
import type { Context } from "../../commandLine/context.js";
import { exit } from "../../commandLine/exit.js";
import { openKept } from "../../project/store.js";
import { withRun } from "../../session/run.js";
import { LOCK_TIMEOUT } from "./forget.js";
import type { StateFlags } from "./state.js";

/** Moves the state to another store, and marks the one where it was. */
export async function move(this: Context, flags: StateFlags, address: string): Promise<void> {
  const { world } = this;
  const run = { command: "state move", flags, tenant: false };
  this.process.exitCode = await withRun(world, run, async ({ project, owner }) => {
    const { settings } = project;
    const state = { value: address, from: "the command line", by: "operator" } as const;
    const from = await openKept(world, project);
    const to = await openKept(world, { ...project, settings: { ...settings, state } });
    const moved = await moveState(from, to, owner, { timeout: LOCK_TIMEOUT });
    const count = Object.keys(moved.entries).length;
    const [old, place] = [tame(from.kept.name), tame(to.kept.name)];
    world.stdout.write(
      `Moved the state of ${count} ${count === 1 ? "object" : "objects"} from ${old} to ${place}, and read it back.\n` +
        `No run continues with ${old}. Name the new place in \`state:\` or REMIT_STATE.\n`,
    );
    return exit.done;
  });
}
