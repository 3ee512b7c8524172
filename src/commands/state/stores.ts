import { codeOf } from "../../cli/exitCode.js";
import { listStates } from "../../cli/open/store.js";
import { columns } from "../../cli/print/columns.js";
import type { Context } from "../../cli/run/context.js";
import { withState } from "../../cli/run/run.js";
import { jsonText } from "../../report/text/safeJson.js";
import { ownerInWords } from "../../state/owner.js";
import type { StoredState } from "../../state/stores.js";
import type { StateFlags } from "./usage.js";

/** Prints one line for each state of the repository, bucket, database or folder that the address leads to. */
export default async function stores(this: Context, flags: StateFlags): Promise<number> {
  return withState(this.world, "state stores", flags, async ({ world, project }) => {
    const states = await listStates(world, project);
    world.stdout.write(
      flags.format === "json"
        ? jsonText({ states })
        : states.length === 0
          ? ""
          : columns([["STATE", "PROJECT", "SERIAL", "LOCK"], ...states.map(rowOf)]),
    );
    if (states.length === 0) world.stderr.write("No state was found.\n");
    return codeOf("done");
  });
}

function rowOf({ address, project, serial, held }: StoredState): readonly string[] {
  const lock = held === null ? "free" : ownerInWords(held.by);
  return [address, project ?? "none", serial === null ? "not saved" : String(serial), lock];
}
