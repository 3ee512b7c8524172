import type { EndedRun } from "../../apply/history.js";
import { codeOf } from "../../cli/exitCode.js";
import { printDiagnostics } from "../../cli/print/diagnostics.js";
import type { Context } from "../../cli/run/context.js";
import { type Run, withState } from "../../cli/run/run.js";
import { projectName } from "../../cli/settings/projectName.js";
import type { World } from "../../cli/world/world.js";
import { parseAddress, withKey } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { globbed, isPattern } from "../../model/glob.js";
import { acknowledged, parseAcknowledgement } from "../../plan/guards/acknowledge.js";
import { tame } from "../../report/text/visible.js";
import { checkProject } from "../../state/belonging.js";
import { entriesLike, entriesNamed, nameOfEntry } from "../../state/names.js";
import type { Entry, Snapshot } from "../../state/snapshot.js";
import { say } from "../../words/say.js";
import { recordingOf } from "./recordingOf.js";
import { several, unknown } from "./state.js";
import type { ForgetFlags } from "./usage.js";

/** Milliseconds that a command that changes the state waits for its lock. */
export const LOCK_TIMEOUT = 10_000;
const PROTECTED = "protected";

/** Stops managing objects: they stay in the tenant unchanged. A protected one needs an acknowledgement. */
export default async function forget(this: Context, flags: ForgetFlags, address: string): Promise<number> {
  return withState(this.world, "state forget", flags, (run) => forgetIn(run, flags, address));
}

async function forgetIn(run: Run, flags: ForgetFlags, address: string): Promise<number> {
  const { world, store, owner } = run;
  const released = await releasedAtTerminal(run, address, flags);
  const lock = await store.lock(owner, { timeout: LOCK_TIMEOUT });
  try {
    const { snapshot } = await store.read();
    checkProject(store.name, snapshot?.project, await projectName(world, run.project));
    const found = meant(snapshot, address, flags);
    if (snapshot === null || found.entries.size + found.uncertain.size === 0) {
      return tell(world, codeOf("not found"), [unknown(address, snapshot)]);
    }
    if (found.isOne && found.entries.size > 1) {
      return tell(world, codeOf("not found"), [several(address, [...found.entries.values()])]);
    }
    const kept = unanswered(found, run, flags).filter((entry) => !released.has(nameOfEntry(entry)));
    if (kept.length > 0)
      return tell(
        world,
        codeOf("protected"),
        kept.map((entry) => say("guard/protected#forget", { name: nameOfEntry(entry) })),
      );
    const next = {
      ...snapshot,
      serial: snapshot.serial + 1,
      entries: without(snapshot.entries, found.entries),
      uncertain: without(snapshot.uncertain, found.uncertain),
    };
    const steps = [...found.entries.values()].map(forgottenStep);
    const { snapshot: forgotten, record } = recordingOf(run, store, steps)(next);
    if (record !== null) void lock.append(record);
    await lock.save(forgotten);
    for (const entry of found.entries.values()) forgot(world, nameOfEntry(entry), STAYS);
    for (const name of found.uncertain.keys()) forgot(world, name, AGAIN);
    return codeOf("done");
  } finally {
    await lock.release();
  }
}

/** An object that is no longer managed, as the history tells it: nothing of it changed. */
function forgottenStep({ address, key, applied }: Entry): EndedRun["steps"][number] {
  return {
    address,
    key,
    action: "forget",
    outcome: "done",
    requests: [],
    before: applied,
    after: applied,
    fields: [],
  };
}

const STAYS = "it is no longer managed and stays in the tenant unchanged";
const AGAIN = "an apply of its manifest creates it again";

/** What an address or a pattern means: entries of the state by their place, and uncertain creates by their name. */
interface Meant {
  /** Whether the address can only mean one object. */
  readonly isOne: boolean;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly uncertain: ReadonlyMap<string, unknown>;
}

function meant(snapshot: Snapshot | null, address: string, flags: ForgetFlags): Meant {
  const isOne = !isPattern(address);
  const uncertain = Object.entries(snapshot?.uncertain ?? {}).filter(([name]) => globbed(address, name));
  const entries = isOne ? entriesNamed(snapshot, address) : entriesLike(snapshot, address);
  return { isOne, entries: new Map(flags.uncertain ? [] : entries), uncertain: new Map(uncertain) };
}

/** The protected objects that no acknowledgement releases. */
function unanswered(
  { entries }: Meant,
  { world, project }: Run,
  { acknowledge = [] }: ForgetFlags,
): readonly Entry[] {
  const { acknowledgements, limits } = project.settings;
  const answers = {
    acknowledgements: [...acknowledge.map(parseAcknowledgement), ...acknowledgements.value],
    today: new Date(world.clock.now()).toISOString().slice(0, 10),
    limits: limits.value,
  };
  const isAnswered = (entry: Entry) =>
    [parseAddress(nameOfEntry(entry)) ?? entry.address, withKey(entry.address, entry.key)].some(
      (address) => acknowledged({ guard: PROTECTED, address, hash: "" }, answers) !== null,
    );
  return [...entries.values()].filter((entry) => entry.protected && !isAnswered(entry));
}

/** Asks at a terminal whether protected objects may go; gives those that may. The lock is taken later: a person may leave the question. */
async function releasedAtTerminal(
  run: Run,
  address: string,
  flags: ForgetFlags,
): Promise<ReadonlySet<string>> {
  const { stdin, stderr } = run.world;
  if (!stdin.isTerminal) return new Set();
  const { snapshot } = await run.store.read();
  const found = meant(snapshot, address, flags);
  const names = unanswered(found, run, flags).map(nameOfEntry);
  if (names.length === 0 || (found.isOne && found.entries.size > 1)) return new Set();
  const what = names.length === 1 ? "is protected. Stop managing it?" : "are protected. Stop managing them?";
  const answer = await stdin.line(() => stderr.write(`${names.map(tame).join(", ")} ${what} Type "yes": `));
  return new Set(answer.trim() === "yes" ? names : []);
}

function without<T>(table: Readonly<Record<string, T>>, gone: ReadonlyMap<string, unknown>) {
  return Object.fromEntries(Object.entries(table).filter(([name]) => !gone.has(name)));
}

function forgot(world: World, name: string, effect: string): void {
  world.stdout.write(`forgot ${tame(name)}; ${effect}\n`);
}

function tell(world: World, code: number, diagnostics: readonly Diagnostic[]): number {
  printDiagnostics(world, diagnostics);
  return code;
}
