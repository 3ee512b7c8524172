import { plan as makePlan } from "../../apply/preview.js";
import { codeOf, stopped } from "../../cli/exitCode.js";
import { endWith, printDiagnostics } from "../../cli/print/diagnostics.js";
import { showReading } from "../../cli/print/reading.js";
import { sessionOf } from "../../cli/run/run.js";
import { formatAddress } from "../../model/address.js";
import { conflictsOf } from "../../people/conflicts.js";
import { type InConflict, inConflict } from "../../people/inConflict.js";
import { withSeen } from "../../people/observe.js";
import type { HeldRef } from "../../plan/people/impact.js";
import { isNone, manyOf, namesBelow, namesOf, numberOf } from "../../report/plan/words/people.js";
import { makeTenant } from "../../tenant/tenant.js";
import { type Asking, mayName, print, write } from "./shown.js";

/** Prints who holds both sides of a conflict now. `request` selects the conflict. */
export async function askConflict(asking: Asking): Promise<number> {
  const { run, request, flags, client, counting } = asking;
  const { world } = run;
  const { progress, end } = showReading(world, { quiet: false, verbose: false }, { client });
  const optional = { ...request.optional, counting: null };
  const made = await makePlan({ ...request, optional }, sessionOf(run), { progress });
  const { value: plan, look, diagnostics } = made;
  printDiagnostics(world, diagnostics);
  if (plan === null || look === null) {
    end();
    return stopped(diagnostics);
  }
  const { current, snapshot } = look.known;
  const { steps } = withSeen(plan, current.objects);
  const asked = new Set(steps.map(({ address }) => formatAddress(address)));
  const all = conflictsOf({ steps }, look.project.resources, snapshot, request.project.manifests.apps ?? {});
  const [conflict] = all.filter(({ address }) => asked.has(formatAddress(address)));
  if (conflict === undefined) {
    end();
    const why = plan.steps.flatMap((step) => step.diagnostics);
    return endWith(world, "not found", why);
  }
  const names = mayName(asking);
  const found = await inConflict(conflict, makeTenant(client), { ...counting, names }, progress).finally(end);
  if (flags.format === "json") print(world, { ...found, address: formatAddress(found.address) });
  else write(world, linesOf(found));
  return codeOf("done");
}

function linesOf({ address, now, isNegated, groupA, groupB, unread }: InConflict): readonly string[] {
  const isOne = now.low === 1 && now.high === 1;
  const people = isNone(now) ? "no one" : `${numberOf(now)} ${isOne ? "person" : "people"}`;
  const sides = isNegated ? "group A without group B" : "both sides";
  const holds = isOne || isNone(now) ? "holds" : "hold";
  return [
    `${formatAddress(address)}: ${people} ${holds} ${sides}${namesOf(now)}, as far as its groups are known`,
    ...namesBelow([["people", now]]).map((line) => `  ${line}`),
    ...[["A", groupA] as const, ["B", groupB] as const].map(
      ([name, group]) => `  group ${name}: ${group.map(heldIn).join(", ") || "empty"}`,
    ),
    ...(unread.length === 0 ? [] : [`  not read: the holders of ${unread.map(nameIn).join(", ")}`]),
  ];
}

function heldIn(ref: HeldRef): string {
  return ref.grants === null ? nameIn(ref) : `${nameIn(ref)} (${manyOf(ref.grants, "grant")})`;
}

function nameIn({ id, name }: HeldRef): string {
  return name ?? id;
}
