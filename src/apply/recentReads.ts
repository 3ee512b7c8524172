import { parentOf } from "../current/desire.js";
import { readsFor, type Wanted } from "../current/reads.js";
import type { Seen } from "../current/world.js";
import type { Kind } from "../kinds/kind.js";
import { formatAddress } from "../model/address.js";
import { type Call, formatCallPath } from "../model/call.js";
import type { Clock } from "../model/clock.js";
import { formatKey } from "../model/key.js";
import type { Step } from "../plan/step.js";
import { type Reread, type RereadObjects, unread } from "./reread.js";

/** What was read is believed for so long. */
const LONGEST_AGE = 30_000;

/** What was seen of an object, and until when that is believed. */
export interface RecentRead {
  readonly seen: Seen;
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
}

interface Siblings {
  readonly kind: Kind;
  readonly wanted: Wanted[];
  readonly first: number;
  read: Reading | null;
}

interface Reading {
  readonly objects: Promise<RereadObjects>;
  readonly where: Turn;
  /** Null while it is under way. */
  until: number | null;
}

/** Where there is a list, the steps of one parent share it; where there is none, each object is one read. */
export function makeRecentReads(
  steps: readonly Step[],
  isRead: (step: Step) => boolean,
  kindOf: (step: Step) => Kind,
  rereads: Readonly<Record<Turn, Reread>>,
  clock: Clock,
): RecentReads {
  const lists = new Map<string, Siblings>();
  const listed = new Map<Step, { readonly siblings: Siblings; readonly name: string }>();
  for (const [place, step] of steps.entries()) {
    if (!isRead(step)) continue;
    const wanted = wantedBy(step, kindOf(step));
    const call = listFor(wanted);
    if (call === undefined) continue;
    const path = formatCallPath(call);
    const siblings = lists.get(path) ?? { kind: wanted.kind, wanted: [], first: place, read: null };
    siblings.wanted.push(wanted);
    lists.set(path, siblings);
    listed.set(step, { siblings, name: wanted.name });
  }
  const ahead = [...lists.values()];
  let given = 0;

  const untilWhen = () => clock.elapsed() + LONGEST_AGE;

  function isGood({ until, where }: Reading, asked: Turn): boolean {
    if (until !== null) return clock.elapsed() <= until;
    return where === "inTurn" || asked === "withoutTurn";
  }

  function read(siblings: Siblings, where: Turn): Reading {
    if (siblings.read !== null && isGood(siblings.read, where)) return siblings.read;
    const objects = rereads[where].many(siblings.kind, siblings.wanted).finally(() => {
      reading.until = untilWhen();
    });
    const reading: Reading = { objects, where, until: null };
    siblings.read = reading;
    return reading;
  }

  return {
    async seen(step, where) {
      const kind = kindOf(step);
      const place = listed.get(step);
      if (place === undefined) {
        return { seen: await rereads[where].one(wantedBy(step, kind)), until: untilWhen() };
      }
      const reading = read(place.siblings, where);
      const objects = await reading.objects;
      const until = reading.until ?? untilWhen();
      if ("notOffered" in objects) return { seen: unread(kind, objects.notOffered), until };
      return { seen: objects.get(place.name) ?? unread(kind, "the service's list cannot tell"), until };
    },
    next(place) {
      const siblings = ahead[given];
      if (siblings === undefined || siblings.first > place) return undefined;
      given += 1;
      return async () => {
        await read(siblings, "withoutTurn").objects;
      };
    },
  };
}

/** The object of a step as reads know it. */
export function wantedBy(
  step: Pick<Step, "address" | "key" | "identity" | "before" | "after">,
  kind: Kind,
): Wanted {
  const { address, key, identity, before, after } = step;
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
