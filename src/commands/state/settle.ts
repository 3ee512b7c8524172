import { codeOf } from "../../cli/exitCode.js";
import type { Context } from "../../cli/run/context.js";
import { wholeRequest } from "../../cli/run/planning.js";
import { sessionOf, withRun } from "../../cli/run/run.js";
import { tame } from "../../report/text/visible.js";
import { LOCK_TIMEOUT } from "./forget.js";
import { commandOf } from "./recordingOf.js";
import { settleByHand } from "./settleByHand.js";
import type { SettleFlags } from "./usage.js";

/** Records which object a create of unknown result made. */
export default async function settle(this: Context, flags: SettleFlags, address: string): Promise<number> {
  const { world } = this;
  const opening = { command: "state settle", flags, tenant: true, ofState: true };
  return withRun(world, opening, async (run) => {
    const request = await wholeRequest(run, flags, "off", true);
    const order = { ...request, address, key: flags.key.split("/") };
    const seen = await settleByHand(order, sessionOf(run), commandOf(run), LOCK_TIMEOUT);
    world.stdout.write(`${tame(`${address} is ${flags.key} now${described(seen)}`)}\n`);
    return codeOf("done");
  });
}

/** What helps a person to see that it is the right object. */
function described(seen: Awaited<ReturnType<typeof settleByHand>>): string {
  if (seen === null) return ". The service does not show it, so the state has what was sent.";
  const { displayName } = seen.fields;
  const name = typeof displayName === "string" ? `: "${displayName}"` : "";
  const made = seen.createdAt === undefined ? "" : `, made on ${seen.createdAt}`;
  return `${name}${made}. The next plan compares it with its manifest.`;
}
