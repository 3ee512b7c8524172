import type { CommandRun } from "../../apply/history.js";
import { readJournal, setAsideLine } from "../../apply/journal/journal.js";
import { foreignness } from "../../apply/journal/recover.js";
import { writeRescue } from "../../apply/rescue.js";
import type { RescuePlace } from "../../apply/underLock.js";
import { codeOf } from "../../cli/exitCode.js";
import { columns } from "../../cli/print/columns.js";
import { printDiagnostics } from "../../cli/print/diagnostics.js";
import type { Context } from "../../cli/run/context.js";
import { withState } from "../../cli/run/run.js";
import { type Address, byAddress, formatAddress, parseAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Key } from "../../model/key.js";
import { aboutUncertain, afterUncertain } from "../../plan/decide/uncertain.js";
import { wrap } from "../../report/text/layout.js";
import { jsonText } from "../../report/text/safeJson.js";
import { tame, tameLine } from "../../report/text/visible.js";
import { meantAddress } from "../../schema/didYouMean.js";
import type { Head } from "../../state/journalHead.js";
import { entriesNamed, nameOfEntry } from "../../state/names.js";
import { aboutState, ownerInWords } from "../../state/owner.js";
import { type Entry, newSnapshot, type Snapshot, type Uncertain } from "../../state/snapshot.js";
import { type Contents, StateError, type Store } from "../../state/store.js";
import { checkServer } from "../../tenant/client/server.js";
import { say } from "../../words/say.js";
import { completenessLines, completenessWith } from "./completeness.js";
import { commandOf } from "./recordingOf.js";
import type { StateFlags, UnlockFlags } from "./usage.js";

/** Prints one line for each object in the state, and for each kind what of the tenant remit cannot see. */
export async function list(this: Context, flags: StateFlags): Promise<number> {
  return withState(this.world, "state list", flags, async ({ world, store, project }) => {
    const { snapshot, trace, held } = await store.read();
    const objects = rowsOf(snapshot);
    const completeness = completenessWith(project.settings.interface.value);
    const isJson = flags.format === "json";
    world.stdout.write(
      isJson
        ? jsonText({ state: stateOf(store.name, snapshot, held), objects, completeness })
        : table(objects, world.stdout.columns),
    );
    if (trace !== null) printDiagnostics(world, [say("state/lost", trace)]);
    else if (snapshot === null)
      world.stderr.write(`The state is empty: ${tame(store.name)} does not exist.\n`);
    if (!isJson && snapshot !== null)
      world.stderr.write(`\n${tame(`The state (${store.name}): ${aboutState(snapshot)}`)}\n`);
    if (!isJson && held !== null) world.stderr.write(`${tame(`Locked by ${ownerInWords(held.by)}.`)}\n`);
    const unclear = uncertainOf(snapshot).map(unclearIn);
    if (unclear.length > 0) printDiagnostics(world, unclear);
    if (!isJson) world.stderr.write(completenessLines(world, completeness));
    return codeOf("done");
  });
}

/** Which state it is, whose it is, and who changes it, for programs. */
function stateOf(name: string, snapshot: Snapshot | null, held: Contents["held"]) {
  const { lineage = null, serial = null, project = null, appliedBy = null } = snapshot ?? {};
  return { name, lineage, serial, project, appliedBy, lock: held === null ? null : { by: held.by } };
}

/** Prints everything that the state contains about one object. */
export async function show(this: Context, flags: StateFlags, address: string): Promise<number> {
  return withState(this.world, "state show", flags, async ({ world, store }) => {
    const { snapshot } = await store.read();
    const [entry, ...others] = entriesNamed(snapshot, address).map(([, one]) => one);
    if (entry !== undefined && others.length > 0) return tell(this, several(address, [entry, ...others]));
    const uncertain = new Map(Object.entries(snapshot?.uncertain ?? {}));
    const found = entry ?? uncertain.get(address);
    if (found === undefined) return tell(this, unknown(address, snapshot));
    world.stdout.write(jsonText(found));
    return codeOf("done");
  });
}

const IF_ALIVE = "If that run is still alive, it loses its lock by this: it starts nothing more and exits 4.";

/** Removes the lock of any holder. */
export async function unlock(this: Context, flags: UnlockFlags): Promise<number> {
  return withState(this.world, "state unlock", flags, async (run) => {
    const { world, store } = run;
    const owner = await store.unlock();
    world.stdout.write(
      owner === null
        ? "The state is not locked.\n"
        : `${tame(`removed the lock of ${ownerInWords(owner)}`)}\n${IF_ALIVE}\n`,
    );
    if (flags.setAside) {
      const server = serverOf(run.project.settings.server.value);
      const kept = await setAside(store, run.rescue, { ...commandOf(run), server });
      world.stdout.write(kept === null ? "The store has no journal.\n" : `${tame(whereIs(kept))}\n`);
    }
    return codeOf("done");
  });
}

/** The server that a setting names, as a state names it; null where it names none. */
function serverOf(setting: string | null): string | null {
  const checked = setting === null || setting === "sandbox" ? null : checkServer(setting, { plain: true });
  return checked !== null && "server" in checked ? checked.server : setting;
}

function whereIs({ path, whose, open }: KeptJournal): string {
  const without = `the journal is in ${path} now, and no longer in the store`;
  const writes = open.map(formatAddress).join(", ");
  const look =
    open.length === 0 ? "" : ` It has writes without an answer: look in the service for ${writes}.`;
  switch (whose) {
    case "own":
      return `a copy of the journal is in ${path} now; the next apply settles the lines that can be read, and leaves out the others`;
    case "newer":
      return `${without}. The run began with a newer state than the one that is kept.${look}`;
    case "other":
      return `${without}. It is of another state: bring it into that one with remit state rescue.${look}`;
    case "unknown":
      return `${without}. Nothing in it says which run wrote it, and with which state.${look}`;
    default:
      return whose satisfies never;
  }
}

function tell({ world }: Context, diagnostic: Diagnostic): number {
  printDiagnostics(world, [diagnostic]);
  return codeOf("not found");
}

/** What was applied, then the creates whose result is unknown. */
function rowsOf(snapshot: Snapshot | null): readonly TableRow[] {
  const applied = entriesOf(snapshot).map((entry) => {
    const { key, at, protected: isProtected } = entry;
    return { address: nameOfEntry(entry), key, at, protected: isProtected, uncertain: null };
  });
  const uncertain = uncertainOf(snapshot).map(({ address, key, at, why }) => {
    return { address: formatAddress(address), key, at, protected: false, uncertain: why };
  });
  return [...applied, ...uncertain];
}

function unclearIn(uncertain: Uncertain): Diagnostic {
  const { address } = uncertain;
  return say(
    "state/uncertain",
    { address, uncertain: aboutUncertain(uncertain) },
    { hint: afterUncertain(uncertain) },
  );
}

function uncertainOf(snapshot: Snapshot | null): readonly Uncertain[] {
  return Object.values(snapshot?.uncertain ?? {}).sort((one, other) => byAddress(one.address, other.address));
}

function entriesOf(snapshot: Snapshot | null): readonly Entry[] {
  return Object.values(snapshot?.entries ?? {}).sort((one, other) => byAddress(one.address, other.address));
}

/** One object of the list, in either form of it. */
export interface TableRow {
  readonly address: string;
  /** Null if the service chooses it and has not answered. */
  readonly key: Key | null;
  readonly at: string;
  readonly protected: boolean;
  /** Why the result of its create is unknown; null for what was applied. */
  readonly uncertain: string | null;
}

/** One line for each object; on a narrower page each key has a line of its own, so that no id is broken. */
export function table(rows: readonly TableRow[], width: number): string {
  const whole = columns(
    rows.map((row) => [
      row.address,
      keyOf(row),
      timeOf(row),
      ...(row.uncertain === null ? [] : [uncertain(row)]),
    ]),
  );
  if (whole.split("\n").every((line) => line.length <= width)) return whole;
  const heads = columns(rows.map((row) => [row.address, timeOf(row)]))
    .trimEnd()
    .split("\n");
  const lines = rows.flatMap((row, place) => [
    heads[place] ?? "",
    ...(row.key === null ? [] : [`  ${keyOf(row)}`]),
    ...(row.uncertain === null ? [] : wrap(uncertain(row), width, "  ", "    ")),
  ]);
  return lines.map((line) => `${line}\n`).join("");
}

function keyOf({ key }: TableRow): string {
  return tameLine(key?.join("/") ?? "");
}

/** Without the milliseconds, which no reader compares. */
function timeOf({ at }: TableRow): string {
  return tameLine(at.replace(/\.\d+Z$/, "Z"));
}

function uncertain({ uncertain }: TableRow): string {
  return `uncertain: ${tame(uncertain ?? "")}`;
}

/** Whose a journal is: `newer` began with a later serial than the state has; `unknown` does not say which run wrote it. */
type JournalOrigin = "own" | "newer" | "other" | "unknown";

/** Where a journal is kept, and whose it is: the lines of the state's own that can be read stay in the store. */
interface KeptJournal {
  readonly path: string;
  readonly whose: JournalOrigin;
  /** The objects of writes without an answer, as far as its lines can be read. */
  readonly open: readonly Address[];
}

/** Who sets a journal aside, and for which server; null where none is named. */
interface SettingAside extends CommandRun {
  readonly server: string | null;
}

/**
 * Keeps a journal in a file that no apply can settle. What is not of the state is taken out of the store; of the state's
 * own, the lines that cannot be read do not count any more. Null where the journal is empty. Throws a `StateError` where
 * the next apply settles it.
 */
export async function setAside(
  store: Store,
  rescue: RescuePlace,
  asking: SettingAside,
): Promise<KeptJournal | null> {
  const lock = await store.lock(asking.owner, { timeout: 0 });
  try {
    const { snapshot, journal } = await store.read();
    if (journal.length === 0) return null;
    const { head, damaged, pending } = readJournal(journal);
    const whose = head === null ? "unknown" : whoseIs(head, snapshot, asking);
    if (whose === "own" && damaged === 0)
      throw new StateError(say("state/own-journal", { name: store.name }));
    const { run, lineage } = head ?? { run: "unknown", lineage: "unknown" };
    const path = await rescue.keep(writeRescue({ run, lineage, lines: journal, record: null }));
    if (whose === "own") await lock.journal.append(setAsideLine(asking.clock));
    else await lock.journal.clear();
    return { path, whose, open: pending.map(({ intended }) => intended.address) };
  } finally {
    await lock.release();
  }
}

/** Whether an apply of this project, with this state and this server, settles a journal. */
function whoseIs(
  head: Head,
  snapshot: Snapshot | null,
  { server, project }: Pick<SettingAside, "server" | "project">,
): JournalOrigin {
  if (snapshot === null && head.project !== undefined && head.project !== project) return "other";
  const why = foreignness(head, snapshot ?? newSnapshot(head.lineage, server ?? head.server));
  return why === null ? "own" : why.code === "state/rolled-back" ? "newer" : "other";
}

/** An address that several objects of the state have. */
export function several(address: string, entries: readonly Entry[]): Diagnostic {
  return say("state/ambiguous", { count: entries.length, address, entries: entries.map(nameOfEntry) });
}

/** An address or a pattern that nothing in the state has. */
export function unknown(address: string, snapshot: Snapshot | null): Diagnostic {
  const known = [
    ...Object.values(snapshot?.entries ?? {}).map(nameOfEntry),
    ...Object.values(snapshot?.uncertain ?? {}).map((one) => formatAddress(one.address)),
  ];
  return say("state/unknown#unknown", { address }, { hint: afterUnknown(address, known) });
}

function afterUnknown(address: string, known: readonly string[]): string {
  const meant = meantAddress(address, known);
  if (parseAddress(address) === undefined)
    return `${meant} An address is a kind and a name: EntitlementAutomation/engineering-group.`.trim();
  return known.length === 0
    ? "The state is empty."
    : `${meant} \`remit state list\` prints its ${known.length === 1 ? "one address" : `${known.length} addresses`}.`;
}
