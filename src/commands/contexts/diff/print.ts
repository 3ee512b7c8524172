import { paintFor } from "../../../cli/print/diagnostics.js";
import type { World } from "../../../cli/world/world.js";
import { groupBy } from "../../../model/groupBy.js";
import { renderField } from "../../../report/forms/terminal/field.js";
import { safeJson } from "../../../report/text/safeJson.js";
import { tameLine } from "../../../report/text/visible.js";
import type { SharedObject, Side, TenantDifference, TenantObject } from "./compare.js";

/** Two contexts, and what their tenants have that the other has not. */
export interface ComparedContexts {
  readonly contexts: Readonly<Record<Side, string>>;
  readonly difference: TenantDifference;
}

/** A comparison as text: what only one tenant has, what differs from the first to the second, and what is not known. */
export function comparisonText(world: World, { contexts, difference }: ComparedContexts): string {
  const { only, differing, partly, unsure, same } = difference;
  const { stdout } = world;
  const paint = paintFor(world, stdout);
  const page = { columns: stdout.isTerminal ? stdout.columns : Number.POSITIVE_INFINITY, paint };
  const titleOf = ({ kind, name }: Pick<TenantObject, "kind" | "name">) => tameLine(`${kind} ${name}`);
  const notCompared = (one: SharedObject) =>
    one.notCompared.map(({ field, why }) => tameLine(`    ? ${field}: not compared: ${why}`));
  const changed = differing.flatMap((one) => [
    `  ~ ${titleOf(one)}`,
    ...one.fields.flatMap((field) => renderField({ ...field, isPutBack: false }, "", page)),
    ...notCompared(one),
  ]);
  const unclear = partly.flatMap((one) => [`  = ${titleOf(one)}`, ...notCompared(one)]);
  const doubts = groupBy(unsure, ({ kind, side, why }) => `${kind} in ${contexts[side]}: ${why}`);
  const doubted = [...doubts].flatMap(([why, all]) => [
    tameLine(`  ? ${all.length === 1 ? "" : `${all.length} of `}${why}:`),
    ...all.slice(0, MOST_NAMES).map(({ name }) => tameLine(`    ${name}`)),
    ...(all.length > MOST_NAMES ? [`    … and ${all.length - MOST_NAMES} more`] : []),
  ]);
  const sections = [
    section(
      `Only in ${contexts.first}`,
      only.first.length,
      only.first.map((one) => `  ${paint("removed", `- ${titleOf(one)}`)}`),
    ),
    section(
      `Only in ${contexts.second}`,
      only.second.length,
      only.second.map((one) => `  ${paint("added", `+ ${titleOf(one)}`)}`),
    ),
    section(`Different, from ${contexts.first} to ${contexts.second}`, differing.length, changed),
    section("The same, as far as they could be compared", partly.length, unclear),
    section("Not known", unsure.length, doubted),
    [`The same in both: ${same}`],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(""))
    .join("\n");
}

function section(title: string, count: number, lines: readonly string[]): readonly string[] {
  return count === 0 ? [] : [`${title} (${count}):`, ...lines];
}

/** So many names of one doubt are printed; the JSON has all. */
const MOST_NAMES = 10;

/** A comparison as one JSON value. */
export function comparisonJson({ contexts, difference }: ComparedContexts): string {
  const { only, differing, partly, unsure, same } = difference;
  const value = {
    contexts: [contexts.first, contexts.second],
    onlyIn: [
      { context: contexts.first, objects: only.first },
      { context: contexts.second, objects: only.second },
    ],
    different: differing.map(recordOf),
    notWhollyCompared: partly.map(recordOf),
    notKnown: unsure.map(({ side, ...one }) => ({ context: contexts[side], ...one })),
    same,
  };
  return safeJson(`${JSON.stringify(value, null, 2)}\n`);
}

function recordOf({ kind, name, keys, fields, notCompared }: SharedObject) {
  const differences = fields.map(({ path, difference }) => ({ path, difference }));
  return { kind, name, keys: [keys.first, keys.second], fields: differences, notCompared };
}
