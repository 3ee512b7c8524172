import { UNCONFIRMED } from "../../../cli/credentials/give.js";
import { codeOf, comparedCode, notGot } from "../../../cli/exitCode.js";
import { connect, type Reached } from "../../../cli/open/tenant.js";
import { endWith, paintFor, printDiagnostics } from "../../../cli/print/diagnostics.js";
import { showReading } from "../../../cli/print/reading.js";
import type { Context } from "../../../cli/run/context.js";
import { noSuchKind } from "../../../cli/run/noSuchKind.js";
import { inContexts } from "../../../cli/settings/eachContext.js";
import { type Project, projectFor } from "../../../cli/settings/project.js";
import { readProject } from "../../../cli/settings/projectOnDisk.js";
import { heldBack } from "../../../cli/settings/withheld.js";
import type { World } from "../../../cli/world/world.js";
import { kinds } from "../../../kinds/index.js";
import type { Kind } from "../../../kinds/kind.js";
import { type Checked, hasErrors } from "../../../model/diagnostic.js";
import { groupBy } from "../../../model/groupBy.js";
import { renderField } from "../../../report/forms/terminal/field.js";
import { jsonText } from "../../../report/text/safeJson.js";
import { tameLine } from "../../../report/text/visible.js";
import { say } from "../../../words/say.js";
import { completenessLines, completenessWith } from "../../state/completeness.js";
import {
  compareTenants,
  isSame,
  type SharedObject,
  type Side,
  type TenantDifference,
  type TenantObject,
} from "./compare.js";
import { type KnownTenant, knownTenant } from "./known.js";
import type { ContextsDiffFlags } from "./usage.js";

/** Says what the tenants of two contexts have that the other has not. Opens no state, and writes nothing. */
export default async function diff(
  this: Context,
  flags: ContextsDiffFlags,
  first: string,
  second: string,
): Promise<number> {
  const { world } = this;
  const chosen = chosenKinds(flags.kind ?? []);
  if (hasErrors(chosen.diagnostics)) return endWith(world, "wrong usage", chosen.diagnostics);
  return compareContexts(world, flags, [first, second], chosen.value);
}

async function compareContexts(
  world: World,
  flags: ContextsDiffFlags,
  names: readonly [string, string],
  chosen: readonly Kind[],
): Promise<number> {
  const opened = await openBoth(world, flags, names);
  printDiagnostics(world, opened.diagnostics);
  if (hasErrors(opened.diagnostics)) {
    const isUsage = opened.diagnostics.some(({ code }) => code === "context/same-twice");
    return codeOf(isUsage ? "wrong usage" : "invalid settings");
  }
  const reached: Awaited<ReturnType<typeof reach>>[] = [];
  try {
    // A terminal is asked about one server after the other.
    for (const one of opened.value) reached.push(await reach(world, flags, one));
    const found = reached.map(({ name, diagnostics }) => ({ name, diagnostics }));
    printDiagnostics(world, inContexts(found));
    const [one, other] = reached.flatMap(({ tenant, ...rest }) =>
      tenant === null ? [] : { ...rest, tenant },
    );
    if (one === undefined || other === undefined) return codeOf("invalid settings");
    return printComparison(world, flags, await readBoth(world, flags, [one, other], chosen), chosen);
  } finally {
    await Promise.all(reached.map(({ tenant }) => tenant?.close()));
  }
}

/** Connects to the tenant of a context with the credentials that are its own. */
async function reach(world: World, { verbose }: ContextsDiffFlags, { name, project }: OpenedContext) {
  const log = verbose ? (line: string) => world.stderr.write(`${tameLine(`${name}: ${line}`)}\n`) : null;
  const { value: tenant, diagnostics } = await connect(world, project, { log, watch: null });
  const told = diagnostics.map((one) => (one.code === UNCONFIRMED ? { ...one, hint: COMMIT_IT } : one));
  return { name, project, tenant, diagnostics: told };
}

/** No variable can name the servers of two contexts. */
const COMMIT_IT = "If you trust it, commit remit.yaml, and name the commit: --settings-from HEAD.";

interface OpenedContext {
  readonly name: string;
  readonly project: Project;
}

interface ReachedContext extends OpenedContext {
  readonly tenant: Reached;
}

/** The project as each of the two contexts sees it: with its own tenant, and its own credentials alone. */
async function openBoth(
  world: World,
  flags: ContextsDiffFlags,
  [first, second]: readonly [string, string],
): Promise<Checked<readonly OpenedContext[]>> {
  const disk = await readProject(world, flags, "in force");
  const opened = [first, second].map((name) => ({
    name,
    ...projectFor(disk, world, flags, { beside: name }),
  }));
  const value = opened.map(({ name, value: project }) => ({ name, project }));
  const found = opened.flatMap(({ value: { held }, diagnostics }) => {
    const why = heldBack("contexts diff", held);
    return [...diagnostics, ...(why === null ? [] : [why])];
  });
  const wrong = [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
  if (hasErrors(wrong) || first !== second) return { value, diagnostics: wrong };
  const known = [...disk.tenants.keys()];
  return { value, diagnostics: [say("context/same-twice", { name: first, known })] };
}

interface ReadContext extends ReachedContext {
  readonly known: KnownTenant;
}

/** Reads both tenants at the same time, each by its own client, at its own pace. */
async function readBoth(
  world: World,
  flags: ContextsDiffFlags,
  contexts: readonly [ReachedContext, ReachedContext],
  chosen: readonly Kind[],
): Promise<readonly [ReadContext, ReadContext]> {
  const { progress, end } = showReading(
    world,
    { ...flags, quiet: flags.quiet || flags.format === "json" },
    null,
  );
  const counts = contexts.map(() => ({ done: 0, total: 0 }));
  const read = async (context: ReachedContext, place: number): Promise<ReadContext> => {
    const { client } = context.tenant;
    client.signIn();
    const asked = context.project.settings.interface.value;
    const told = (done: number, total: number) => {
      counts[place] = { done, total };
      progress(
        counts.reduce((sum, one) => sum + one.done, 0),
        counts.reduce((sum, one) => sum + one.total, 0),
      );
    };
    return { ...context, known: await knownTenant(chosen, { client, asked, progress: told }) };
  };
  return Promise.all([read(contexts[0], 0), read(contexts[1], 1)]).finally(end);
}

function printComparison(
  world: World,
  flags: ContextsDiffFlags,
  [first, second]: readonly [ReadContext, ReadContext],
  chosen: readonly Kind[],
): number {
  const both = [first, second];
  const diagnostics = inContexts(both.map(({ name, known }) => ({ name, diagnostics: known.diagnostics })));
  printDiagnostics(world, diagnostics, flags.verbose);
  const isUnread = ({ known }: ReadContext) => known.objects.length === 0 && hasErrors(known.diagnostics);
  if (both.some(isUnread)) return notGot(diagnostics);
  const compared: ComparedContexts = {
    contexts: { first: first.name, second: second.name },
    difference: compareTenants(first.known, second.known),
  };
  world.stdout.write(flags.format === "json" ? comparisonJson(compared) : comparisonText(world, compared));
  const unread = both.flatMap(({ name, known: { unknown } }) =>
    unknown.map(({ what, why }) => tameLine(`  ${name}: ${what}: unknown: ${why}`)),
  );
  if (unread.length > 0) world.stderr.write(`${["Not read:", ...unread].join("\n")}\n`);
  if (!flags.quiet) {
    const looked = completenessWith(first.project.settings.interface.value);
    const names = chosen.map(({ name }) => name);
    world.stderr.write(
      completenessLines(
        world,
        looked.filter(({ kind }) => names.includes(kind)),
      ),
    );
  }
  return comparedCode(diagnostics, isSame(compared.difference), flags.detailedExitcode);
}

/** The kinds that a command line names; every kind where it names none. */
function chosenKinds(names: readonly string[]): Checked<readonly Kind[]> {
  const known = kinds.map(({ name }) => name);
  const diagnostics = names
    .filter((name) => !known.includes(name))
    .map((kind) => noSuchKind(kind, known, `Write one of ${known.join(", ")}.`));
  return { value: kinds.filter(({ name }) => names.length === 0 || names.includes(name)), diagnostics };
}

/** Two contexts, and what their tenants have that the other has not. */
interface ComparedContexts {
  readonly contexts: Readonly<Record<Side, string>>;
  readonly difference: TenantDifference;
}

/** A comparison as text: what only one tenant has, what differs from the first to the second, and what is not known. */
function comparisonText(world: World, { contexts, difference }: ComparedContexts): string {
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
function comparisonJson({ contexts, difference }: ComparedContexts): string {
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
  return jsonText(value);
}

function recordOf({ kind, name, keys, fields, notCompared }: SharedObject) {
  const differences = fields.map(({ path, difference }) => ({ path, difference }));
  return { kind, name, keys: [keys.first, keys.second], fields: differences, notCompared };
}
