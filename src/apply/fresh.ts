import { parentOf } from "../current/desire.js";
import { readsFor, type Wanted } from "../current/reads.js";
import type { Seen } from "../current/world.js";
import type { Kind } from "../kinds/kind.js";
import { formatAddress } from "../model/address.js";
import { type Call, formatCallPath } from "../model/call.js";
import type { Clock } from "../model/clock.js";
import { formatKey } from "../model/key.js";
import type { Step } from "../plan/step.js";
import { type Look, type Looked, unread } from "./look.js";

/** A list that was read is believed for so long. */
const LONGEST_AGE = 30_000;

/** What objects are just before they are written. */
export interface Fresh {
  /** The object of a step, now. */
  seen(step: Step): Promise<Seen>;
  /** A list that steps up to that place will ask for, to be read ahead; each is given once. */
  next(place: number): (() => Promise<void>) | undefined;
}

interface Siblings {
  readonly kind: Kind;
  readonly wanted: Wanted[];
  readonly first: number;
  read: { readonly at: number; readonly looked: Promise<Looked> } | null;
}

/** Where there is a list, the steps of one parent share it; where there is none, each object is one read. */
export function makeFresh(
  steps: readonly Step[],
  isRead: (step: Step) => boolean,
  kindOf: (step: Step) => Kind,
  look: Look,
  clock: Clock,
): Fresh {
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

  function read(siblings: Siblings): Promise<Looked> {
    const now = clock.elapsed();
    if (siblings.read === null || now - siblings.read.at > LONGEST_AGE) {
      siblings.read = { at: now, looked: look.many(siblings.kind, siblings.wanted) };
    }
    return siblings.read.looked;
  }

  return {
    async seen(step) {
      const kind = kindOf(step);
      const place = listed.get(step);
      if (place === undefined) return look.one(wantedBy(step, kind));
      const looked = await read(place.siblings);
      if ("notOffered" in looked) return unread(kind, looked.notOffered);
      return looked.get(place.name) ?? unread(kind, "the service's list cannot tell");
    },
    next(place) {
      const siblings = ahead[given];
      if (siblings === undefined || siblings.first > place) return undefined;
      given += 1;
      return async () => {
        await read(siblings);
      };
    },
  };
}

/** The object of a step as reads know it. */
export function wantedBy(step: Pick<Step, "address" | "key" | "identity" | "after">, kind: Kind): Wanted {
  const { address, key, identity, after } = step;
  return {
    kind,
    key,
    parent: key === null ? parentOf(kind, identity) : key.slice(0, -1),
    name: key === null ? formatAddress(address) : formatKey(kind.name, key),
    spec: { ...identity, ...after },
  };
}

function listFor(wanted: Wanted): Call | undefined {
  return readsFor(wanted.kind, [wanted]).lists[0]?.call;
}
