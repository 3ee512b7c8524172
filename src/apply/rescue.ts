import { type Address, formatAddress } from "../model/address.js";
import { isText, isTexts, type Members, orNull } from "../model/expectation.js";
import { isObject, type JsonObject, parseJson, same } from "../model/json.js";
import { checkFormat, FORMAT } from "../state/format.js";
import type { Snapshot, Uncertain } from "../state/snapshot.js";
import { misfitOf } from "../state/validity.js";
import { readJournal } from "./journal/journal.js";
import { type Answered, type Intended, type JournalLine, readLine } from "./journal/line.js";
import { openSnapshot } from "./journal/openSnapshot.js";

/** Answers of a run that its store did not take. */
export interface Rescue {
  readonly run: string;
  readonly lineage: string;
  /** Lines of the run's journal: the answers, each behind the intents of its object. */
  readonly lines: readonly string[];
  /** The run's record of the history; null where the store has it, or the run made none. */
  readonly record: string | null;
}

const MEMBERS: Members = { run: isText, lineage: isText, lines: isTexts, record: orNull(isText) };

/** A rescue as the text of its file. */
export function writeRescue({ run, lineage, lines, record }: Rescue): string {
  return `${JSON.stringify({ formatVersion: FORMAT, run, lineage, lines, record }, null, 2)}\n`;
}

/** Reads the text of a rescue file; null for another text. Throws a `StateError` for one of another format. */
export function readRescue(text: string, name: string): Rescue | null {
  const value = parseJson(text);
  if (!isObject(value) || !("run" in value || "lines" in value)) return null;
  checkFormat(value, name, misfitOf(value, MEMBERS));
  return value as unknown as Rescue;
}

/** What a rescue brings into a state. */
export interface Rescued {
  /** Lines to add to the journal: answers to intents that are open there. */
  readonly lines: readonly string[];
  /** The snapshot with answers to creates that it records as uncertain, under the next serial; null where none is. */
  readonly snapshot: Snapshot | null;
  /** The objects whose answers are brought in, and those that the state knows already or knows otherwise. */
  readonly brought: readonly Address[];
  readonly left: readonly Address[];
}

/**
 * Finds the answers that a state lacks. An answer counts only for an intent of the same run that is open in the journal.
 * It also counts for an uncertain create that was recorded of that very intent. Nothing else of the state changes.
 */
export function bringIn(
  { run, lines }: Pick<Rescue, "run" | "lines">,
  snapshot: Snapshot | null,
  journal: readonly string[],
): Rescued {
  const { head, pending } = readJournal(journal);
  const open = new Map(pending.map((one) => [formatAddress(one.intended.address), one.intended]));
  const opened = snapshot === null ? null : openSnapshot(snapshot);
  const more: string[] = [];
  const brought: Address[] = [];
  const left: Address[] = [];
  let settled = 0;
  const neverSent = new Set<string>();
  for (const [name, told] of byObject(lines)) {
    const { address, intents, answers, end } = told;
    const waiting = head?.run === run ? open.get(name) : undefined;
    const uncertain = snapshot?.uncertain[name];
    if (waiting !== undefined && intents.some(({ line }) => isSameIntent(line, waiting))) {
      more.push(...answers.map(({ text }) => text));
      brought.push(address);
    } else if (opened !== null && uncertain !== undefined && isOf(uncertain, told) && end !== null) {
      if (end.outcome === "left") neverSent.add(name);
      else opened.remember(end, end.at);
      settled += 1;
      brought.push(address);
    } else left.push(address);
  }
  const isChanged = settled > 0;
  const changed = opened === null || snapshot === null ? null : opened.snapshot(snapshot.serial + 1);
  return {
    lines: more,
    snapshot:
      isChanged && changed !== null ? { ...changed, uncertain: without(changed.uncertain, neverSent) } : null,
    brought,
    left,
  };
}

type Ended = Extract<JournalLine, { readonly type: "step finished" }>;

/** What a rescue says of one object. */
interface Told {
  readonly address: Address;
  readonly intents: { readonly text: string; readonly line: Intended & { readonly at: string } }[];
  readonly answers: { readonly text: string; readonly line: (Answered & { readonly at: string }) | Ended }[];
  end: Ended | null;
}

function byObject(lines: readonly string[]): ReadonlyMap<string, Told> {
  const all = new Map<string, Told>();
  for (const text of lines) {
    const line = readLine(text);
    if (line === undefined || !("address" in line) || line.type === "looking") continue;
    const name = formatAddress(line.address);
    const told = all.get(name) ?? { address: line.address, intents: [], answers: [], end: null };
    all.set(name, told);
    if (line.type === "intended") told.intents.push({ text, line });
    else told.answers.push({ text, line });
    if (line.type === "step finished") told.end = line;
  }
  return new Map([...all].filter(([, { answers }]) => answers.length > 0));
}

function isSameIntent(one: Intended, other: Intended): boolean {
  return one.call === other.call && one.action === other.action && same(one.applied, other.applied);
}

/** Whether an uncertain create was recorded of an intent of that run: what it sent, and when. */
function isOf({ at, applied }: Uncertain, { intents, answers }: Told): boolean {
  const times = [...intents, ...answers].map(({ line }) => line.at);
  return times.includes(at) && intents.some(({ line }) => same(line.applied, applied as JsonObject));
}

function without<T>(
  table: Readonly<Record<string, T>>,
  gone: ReadonlySet<string>,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(table).filter(([name]) => !gone.has(name)));
}
