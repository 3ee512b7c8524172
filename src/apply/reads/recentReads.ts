import { kindOf } from "../../kinds/index.js";
import type { Kind } from "../../kinds/kind.js";
import { formatAddress } from "../../model/address.js";
import { type Call, formatCallPath } from "../../model/call.js";
import type { Clock } from "../../model/clock.js";
import { formatKey } from "../../model/key.js";
import { type Freshness, freshnessFor } from "../../plan/freshness.js";
import { pendingOf } from "../../plan/pendingStep.js";
import type { OfIdentity, Step } from "../../plan/step.js";
import { parentOf } from "../../tenant/desire.js";
import type { Seen } from "../../tenant/known.js";
import { readsFor, type Wanted } from "../../tenant/reads.js";
import { type Reread, type RereadObjects, unread } from "./reread.js";

/** Milliseconds that a read counts before a write; a read for one write alone may wait for its retries that long. */
const LONGEST_AGE = { recent: 30_000, close: 2_000, own: 2_000 } as const satisfies Record<Freshness, number>;

/** What is known of an object, and until when that counts. */
export interface RecentRead {
  /** Null where the plan was made on it under the same lock: what its step says counts. */
  readonly seen: Seen | null;
  readonly until: number;
}

/** Whether the reader has its turn: one that has it must not wait for one that does not. */
export type Turn = "withoutTurn" | "inTurn";

/** What objects are just before they are written. */
export interface RecentReads {
  /** The object of a step, as it is or was not long ago. */
  seen(step: Step, where: Turn): Promise<RecentRead>;
  /** A list that steps up to that place will ask for, to be read ahead; each is given once. */
  next(place: number): (() => Promise<void>) | undefined;
  /** No list has to show the object of that step any more. */
  ended(step: Step): void;
}

/** What recent reads are made from. */
interface RecentReadSources {
  readonly steps: readonly Step[];
  readonly isRead: (step: Step) => boolean;
  readonly wantedOf: (step: Step) => Wanted;
  readonly rereads: Readonly<Record<Turn, Reread>>;
  /** The same for what is read for one step alone. */
  readonly ofStep: (step: Step) => Readonly<Record<Turn, Reread>>;
  readonly clock: Clock;
  /** When the plan began to read the tenant under this lock; null where its reads do not count. */
  readonly plannedAt: number | null;
}

interface Siblings {
  readonly kind: Kind;
  /** Of the steps that have not ended. */
  readonly wanted: Map<Step, Wanted>;
  /** The place of the first step that a list read ahead serves. */
  first: number;
  read: Reading | null;
}

interface Reading {
  readonly objects: Promise<RereadObjects>;
  readonly where: Turn;
  readonly since: number;
  /** Null while it is under way. */
  end: number | null;
}

/**
 * What the plan read counts first. Where there is a list, the steps of one parent share it; where there is none, or it
 * takes too long to read, each object is one read. What has to be fresher is read in its turn.
 */
export function makeRecentReads(sources: RecentReadSources): RecentReads {
  const { wantedOf, rereads, ofStep, clock, plannedAt } = sources;
  const freshnessOf = (step: Step) => freshnessFor(step, kindOf(step.address));
  const listed = listsFor(sources, freshnessOf);
  const ahead = [...new Set(listed.values())].filter(({ first }) => Number.isFinite(first));
  let given = 0;

  const untilPlanned = (age: number) => (plannedAt ?? Number.NEGATIVE_INFINITY) + age;

  function isGood(reading: Reading, asked: Turn, until: number): boolean {
    return reading.end === null
      ? reading.where === "inTurn" || asked === "withoutTurn"
      : clock.elapsed() <= until;
  }

  function read(siblings: Siblings, where: Turn, untilOf: (reading: Reading) => number): Reading {
    const { read: last } = siblings;
    if (last !== null && isGood(last, where, untilOf(last))) return last;
    const objects = rereads[where].many(siblings.kind, [...siblings.wanted.values()]).finally(() => {
      reading.end = clock.elapsed();
    });
    const reading: Reading = { objects, where, since: clock.elapsed(), end: null };
    siblings.read = reading;
    return reading;
  }

  async function readAlone(step: Step, where: Turn, age: number): Promise<RecentRead> {
    const until = clock.elapsed() + age;
    return { seen: await ofStep(step)[where].one(wantedOf(step)), until };
  }

  async function readListed(step: Step, siblings: Siblings, where: Turn, age: number): Promise<RecentRead> {
    // Its first rows are as old as the list takes to read. An object without a key can be found in no other way.
    const untilOf = ({ since, end }: Reading) => (step.key === null ? (end ?? since) : since) + age;
    const reading = read(siblings, where, untilOf);
    const objects = await reading.objects;
    const until = untilOf(reading);
    const { kind, name } = wantedOf(step);
    if ("notOffered" in objects) return { seen: unread(kind, objects.notOffered), until };
    const isTooSlow = clock.elapsed() > until;
    if (isTooSlow) listed.delete(step);
    const seen = isTooSlow ? undefined : objects.get(name);
    return seen === undefined ? readAlone(step, where, age) : { seen, until };
  }

  return {
    async seen(step, where) {
      const freshness = freshnessOf(step);
      const age = LONGEST_AGE[freshness];
      const until = untilPlanned(age);
      if (freshness !== "own" && clock.elapsed() <= until) return { seen: null, until };
      if (freshness !== "recent" && where === "withoutTurn") return READ_LATER;
      const siblings = freshness === "own" ? undefined : listed.get(step);
      return siblings === undefined ? readAlone(step, where, age) : readListed(step, siblings, where, age);
    },
    next(place) {
      const siblings = ahead[given];
      if (siblings === undefined || siblings.first > place) return undefined;
      if (clock.elapsed() <= untilPlanned(LONGEST_AGE.recent)) return undefined;
      given += 1;
      return async () => {
        await read(siblings, "withoutTurn", ({ since }) => since + LONGEST_AGE.recent).objects;
      };
    },
    ended(step) {
      listed.get(step)?.wanted.delete(step);
    },
  };
}

const READ_LATER: RecentRead = { seen: null, until: Number.NEGATIVE_INFINITY };

/** The list that shows the object of each step, where there is one. A list is read ahead where a recent read is enough. */
function listsFor(
  { steps, isRead, wantedOf }: RecentReadSources,
  freshnessOf: (step: Step) => Freshness,
): Map<Step, Siblings> {
  const lists = new Map<string, Siblings>();
  const listed = new Map<Step, Siblings>();
  for (const [place, step] of steps.entries()) {
    // The list of what does not exist yet shows nothing.
    if (!isRead(step) || pendingOf(step).length > 0) continue;
    const wanted = wantedOf(step);
    const call = listFor(wanted);
    if (call === undefined) continue;
    const path = formatCallPath(call);
    const first = freshnessOf(step) === "recent" ? place : Number.POSITIVE_INFINITY;
    const known = lists.get(path);
    const siblings = known ?? { kind: wanted.kind, wanted: new Map(), first, read: null };
    siblings.wanted.set(step, wanted);
    siblings.first = Math.min(siblings.first, first);
    lists.set(path, siblings);
    listed.set(step, siblings);
  }
  return listed;
}

/** The object of a step as reads know it. */
export function wantedBy(
  step: Pick<Step, "address" | "key" | "before" | "after"> & OfIdentity,
  kind: Kind,
): Wanted {
  const { address, key, before, after } = step;
  const { identity } = step.managed;
  return {
    kind,
    key,
    parent: key === null ? parentOf(kind, identity) : key.slice(0, -1),
    name: key === null ? formatAddress(address) : formatKey(kind.name, key),
    spec: { ...identity, ...after },
    expected: before,
  };
}

function listFor(wanted: Wanted): Call | undefined {
  return readsFor(wanted.kind, [wanted]).lists[0]?.call;
}
