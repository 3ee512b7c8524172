import { codeOf } from "../../cli/exitCode.js";
import type { Context } from "../../cli/run/context.js";
import { withState } from "../../cli/run/run.js";
import { tame } from "../../report/text/visible.js";
import { StateError } from "../../state/store.js";
import { readStateAddress, shownAddress } from "../../state/stores.js";
import { say } from "../../words/say.js";
import { LOCK_TIMEOUT } from "./forget.js";
import type { StateFlags } from "./usage.js";

/** Begins the history of a state in a repository anew. */
export default async function compact(this: Context, flags: StateFlags): Promise<number> {
  const { world } = this;
  return withState(world, "state compact", flags, async ({ project, owner }) => {
    const address = readStateAddress(project.settings.state.value);
    if (address.as !== "git")
      throw new StateError(
        say("state/address#hasNone", { address: shownAddress(project.settings.state.value) }),
      );
    const { gitOptions } = await import("../../cli/open/gitStore.js");
    const options = await gitOptions(world, project, address);
    const { compact } = await import("../../state/git/store.js");
    const isDone = await compact(options, owner, { timeout: LOCK_TIMEOUT });
    const what = isDone ? "The state has a new history of one commit" : "A state does not exist yet";
    world.stdout.write(`${tame(`${what} (${options.name}).`)}\n`);
    return codeOf("done");
  });
}
