import { codeOf } from "../../cli/exitCode.js";
import { openStore } from "../../cli/open/store.js";
import { connect } from "../../cli/open/tenant.js";
import { columns } from "../../cli/print/columns.js";
import { printDiagnostics } from "../../cli/print/diagnostics.js";
import { showReading } from "../../cli/print/reading.js";
import type { Context } from "../../cli/run/context.js";
import { manifestPaths, openProject, type Project, readingOf } from "../../cli/settings/project.js";
import { heldBack } from "../../cli/settings/withheld.js";
import type { World } from "../../cli/world/world.js";
import { loadManifests } from "../../manifest/load.js";
import { hasErrors } from "../../model/diagnostic.js";
import { many, wrap } from "../../report/text/layout.js";
import { jsonText } from "../../report/text/safeJson.js";
import { tameLine } from "../../report/text/visible.js";
import { aboutState, ownerInWords } from "../../state/owner.js";
import type { AppliedBy, Snapshot } from "../../state/snapshot.js";
import { StateError } from "../../state/store.js";
import { shownAddress } from "../../state/stores.js";
import { type Examination, type ExaminedFeature, examine, type ReadAnswer } from "./examine.js";
import type { DoctorFlags } from "./usage.js";

/** Says what works with these settings and credentials. Writes nothing. */
export default async function doctor(this: Context, flags: DoctorFlags): Promise<number> {
  const { world } = this;
  const project = await openProject(world, flags);
  const held = heldBack("doctor", project.value.held);
  const wrong = [...project.diagnostics, ...(held === null ? [] : [held])];
  printDiagnostics(world, wrong);
  if (hasErrors(wrong)) return codeOf("invalid settings");
  const log = flags.verbose ? (line: string) => world.stderr.write(`${tameLine(line)}\n`) : null;
  const { value: tenant, diagnostics } = await connect(world, project.value, { log, watch: null });
  printDiagnostics(world, diagnostics);
  const { health: store, snapshot } = await lookAtStore(world, project.value);
  if (tenant === null) {
    world.stderr.write(`${tameLine(aboutStore(store))}\n`);
    return codeOf("invalid settings");
  }
  const { progress, end } = showReading(world, { ...flags, quiet: flags.format === "json" }, tenant);
  try {
    const examination = await examine(
      tenant.client,
      {
        asked: project.value.settings.interface.value,
        snapshot,
        used: await kindsOf(world, project.value, snapshot),
      },
      progress,
    ).finally(end);
    const health: Health = { server: tenant.name, store, ...examination };
    const text =
      flags.format === "json"
        ? jsonText(health)
        : healthText(health, world.stdout.columns).split("\n").map(tameLine).join("\n");
    world.stdout.write(text);
    return codeOf(isHealthy(health) ? "done" : "not healthy");
  } finally {
    await tenant.close();
  }
}

/** Everything that a doctor found. */
interface Health extends Examination {
  readonly server: string;
  readonly store: StoreHealth;
}

/** The names of the kinds that the project has manifests of, or its state has objects of. */
async function kindsOf(
  world: World,
  project: Project,
  snapshot: Snapshot | null,
): Promise<ReadonlySet<string>> {
  const { value } = await loadManifests({
    paths: manifestPaths(world, project, []),
    isWhole: true,
    ...readingOf(project),
    stdin: () => world.stdin.bytes(),
  });
  const recorded = Object.values(snapshot?.entries ?? {});
  return new Set([...value, ...recorded].map(({ address }) => address.kind));
}

/** Whether remit can plan and apply: everything that a plan must read can be read. */
function isHealthy({ store, features }: Health): boolean {
  if (!store.isReachable || features === null) return false;
  const reads = features.flatMap((feature) => feature.reads);
  // Where nothing can be read, the reads of a plan had no object to be tried with.
  if (reads.length > 0 && reads.every(({ answer }) => answer !== "yes")) return false;
  return reads.every(({ isRequired, answer }) => !isRequired || answer === "yes" || answer === "not offered");
}

/** So many lines are printed at most: the rest is in the JSON. */
const MOST = 25;
const MOST_ROWS = 10;

/** What was found, as lines: who asks, the store, a line for each kind of the project, what is missing, and what to do. */
function healthText(health: Health, width: number): string {
  const { features, why, next } = health;
  const head = [
    ...wrap(aboutTenant(health), width, "", "  "),
    ...(why === null || next === null ? [] : wrap(`= ${next}`, width, "  ", "    ")),
    ...wrap(aboutStore(health.store), width, "", "  "),
  ];
  if (features === null) return linesOf(head);
  const rows = fewer(features.map((one) => [one.name, readsOf(one), one.write?.answer ?? "nothing"]));
  const table = columns([["NEEDED", "READS", "WRITES"], ...rows]).split("\n");
  const toDo = whatToDo(features).flatMap((line) => wrap(line, width, "", "  "));
  const missing = missingIn(features).map((line) => wrap(line, width, "", "  "));
  // A blank line stands before the table, and one before what is missing.
  const room = MOST - head.length - table.length - toDo.length - 1;
  return linesOf([...head, "", ...table.slice(0, -1), ...after([...cut(missing, room), ...toDo])]);
}

/** Where there are many rows, those of kinds that work wholly are one. */
function fewer(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  if (rows.length <= MOST_ROWS) return rows;
  const works = ([, reads, writes]: readonly string[]) => reads === "yes" && writes === "by role";
  return [
    ...rows.filter((row) => !works(row)),
    [`${rows.filter(works).length} other kinds`, "yes", "by role"],
  ];
}

function after(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", ...lines];
}

/** As many of the entries as there is room for, and how many there are more. */
function cut(entries: readonly (readonly string[])[], room: number): readonly string[] {
  if (entries.flat().length <= room) return entries.flat();
  const shown: string[] = [];
  let count = 0;
  for (const entry of entries) {
    if (shown.length + entry.length > room - 1) break;
    shown.push(...entry);
    count += 1;
  }
  return [...shown, `${entries.length - count} more are missing: remit doctor --format json`];
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function aboutTenant({ server, identity, why }: Health): string {
  if (why !== null) return `Tenant: ${server} cannot be used: ${why}.`;
  if (identity === null) return `Tenant: ${server} answers, and does not say whose credentials these are.`;
  const roles = identity.roles.length === 0 ? "without roles" : `with the roles ${identity.roles.join(", ")}`;
  const user = identity.email ?? identity.user ?? "no user";
  return `Tenant: ${server} answers. The credentials belong to ${user}, ${roles}.`;
}

/** `yes`, or how many of the reads work. On `core` an object is not read, and without an object nothing shows whether it could be. */
function readsOf({ reads }: ExaminedFeature): string {
  const works = reads.filter(({ answer }) => answer === "yes").length;
  if (reads.length === 0) return "not used";
  return works === reads.length ? "yes" : `${works} of ${reads.length}`;
}

/** The reads that do not work, and each kind that may not be written; what several features need is there once. */
function missingIn(features: readonly ExaminedFeature[]): readonly string[] {
  const reads = features.flatMap((feature) => feature.reads);
  const having = (answer: ReadAnswer) =>
    new Set(reads.filter((read) => read.answer === answer).map(({ shows }) => shows));
  const named = (["refused", "not offered"] as const).flatMap((answer) =>
    having(answer).size === 0 ? [] : [`Reads ${answer}: ${[...having(answer)].join(", ")}.`],
  );
  const failed = reads
    .filter(({ answer }) => answer === "failed")
    .map(({ shows, why }) => `Reads failed: ${shows}: ${why}.`);
  const unwritten = features.flatMap(({ name, write }) =>
    write === null || write.answer === "by role" ? [] : [`Writes ${write.answer}: ${name}: ${write.why}.`],
  );
  return [...new Set([...named, ...failed, ...unwritten])];
}

/** What happens without the reads that do not work, and the role that reads everything: docs/service/live-reads.md, section G. */
function whatToDo(features: readonly ExaminedFeature[]): readonly string[] {
  const missing = features.flatMap(({ reads }) => reads).filter(({ answer }) => answer !== "yes");
  const isRefused = missing.some(({ answer }) => answer === "refused");
  return [
    ...new Set(missing.map(({ without }) => without)),
    ...(isRefused
      ? ["To allow what is refused, give the client a role that may read it, such as Read-Only Super Admin."]
      : []),
  ];
}

/** The store of the state, and whether it can be read. */
interface StoreHealth {
  /** Its path or address, without a password. */
  readonly name: string;
  readonly isReachable: boolean;
  /** Why it cannot be read; null where it can. */
  readonly why: string | null;
  /** How many objects it remembers; null where it contains no state. */
  readonly objects: number | null;
  /** Which run writes to it now; null for no run. */
  readonly lockedBy: string | null;
  /** How often the state was saved, the project that it belongs to, and who applied last; null where it does not say. */
  readonly serial: number | null;
  readonly project: string | null;
  readonly appliedBy: AppliedBy | null;
}

/** Reads the store that the project names, and takes no lock. */
async function lookAtStore(
  world: World,
  project: Project,
): Promise<{ readonly health: StoreHealth; readonly snapshot: Snapshot | null }> {
  let name = shownAddress(project.settings.state.value);
  try {
    const store = await openStore(world, project);
    name = store.name;
    const { snapshot, held } = await store.read();
    const objects = snapshot === null ? null : Object.keys(snapshot.entries).length;
    const lockedBy = held === null ? null : ownerInWords(held.by);
    const { serial = null, project: own = null, appliedBy = null } = snapshot ?? {};
    const whose = { serial, project: own, appliedBy };
    return { health: { name, isReachable: true, why: null, objects, lockedBy, ...whose }, snapshot };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const why = error.diagnostic.message;
    const unknown = { objects: null, lockedBy: null, serial: null, project: null, appliedBy: null };
    return { health: { name, isReachable: false, why, ...unknown }, snapshot: null };
  }
}

/** The same as a sentence. */
function aboutStore(health: StoreHealth): string {
  const { name, isReachable, why, objects, lockedBy } = health;
  if (!isReachable) return `Store: ${name} cannot be read: ${why}.`;
  const content = objects === null ? "it contains no state" : `it remembers ${many(objects, "object")}`;
  const whose = objects === null ? "" : ` ${aboutState(health)}`;
  return `Store: ${name} can be read; ${content}.${whose}${lockedBy === null ? "" : ` Locked by ${lockedBy}.`}`;
}
