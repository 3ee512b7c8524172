import { type AskedInterface, isAskedBlind, isSureOfReads, namesOn } from "../../kinds/interface.js";
import type { Kind } from "../../kinds/kind.js";
import { isFindable } from "../../kinds/listing.js";
import { same } from "../../model/json.js";
import type { Key } from "../../model/key.js";
import type { Seen } from "../../tenant/known.js";
import { readLive } from "../../tenant/live.js";
import { makeDirectory } from "../../tenant/names/directory.js";
import type { Remote, Wanted } from "../../tenant/reads.js";
import { makeTenant } from "../../tenant/tenant.js";
import { say } from "../../words/say.js";
import type { Service } from "../service.js";

/** What was read: what each wanted object is now, by its name, or a service that shows none of the kind. */
export type RereadObjects = ReadonlyMap<string, Seen> | { readonly notOffered: string };

/** Reads objects anew, as a plan does and with what it knows of the service's ways. */
export interface Reread {
  /** Several objects of one kind, by a list where there is one. */
  many(kind: Kind, wanted: readonly Wanted[]): Promise<RereadObjects>;
  /** One object, by its key where that is known. */
  one(wanted: Wanted): Promise<Seen>;
}

/** Rereads of a kind, where a run is not asked to do without. */
export function rereadAsked(
  remote: Remote,
  asked: AskedInterface,
  { name }: Kind,
  wasRead: boolean,
): Reread | null {
  return isAskedBlind(asked, name) ? null : makeReread(remote, isSureOfReads(asked, name, wasRead));
}

/** Rereads at a service; each read waits for room under its pace; `wasRead` says that the service has reads. */
export function makeReread(remote: Remote, wasRead: boolean): Reread {
  async function many(kind: Kind, wanted: readonly Wanted[]): Promise<RereadObjects> {
    const reader = makeTenant(remote).reader();
    const directory = makeDirectory({ reader, given: {}, on: namesOn("auto"), remembered: null });
    const sources = { asked: "auto", reader, directory, wasRead, isUnknown: () => false } as const;
    const { kinds, failures } = await readLive(new Map([[kind, wanted]]), sources);
    const live = kinds.get(kind);
    if (live?.offered === true) return live.objects;
    if (live?.offered === false) return { notOffered: live.why };
    const why = failures[0]?.why ?? "the service gave no answer";
    return new Map(wanted.map(({ name }) => [name, unread(kind, why)]));
  }

  return {
    many,
    async one(wanted) {
      const { kind, key, name } = wanted;
      const objects = await many(key === null ? kind : unlisted(kind), [wanted]);
      if ("notOffered" in objects) return unread(kind, objects.notOffered);
      const why = isFindable(kind, key)
        ? "the service's list cannot tell"
        : "no list of the service shows it";
      return objects.get(name) ?? unread(kind, why);
    },
  };
}

/** The same for a step without a turn: each is its own unit of work. */
export function withTurns({ many, one }: Reread, { pace }: Pick<Service, "pace">): Reread {
  return {
    many: (kind, wanted) => pace.limit(() => many(kind, wanted)),
    one: (wanted) => pace.limit(() => one(wanted)),
  };
}

/** A kind without its list: known by its key an object is one call, and the list of its siblings may be a hundred. */
export function unlisted(kind: Kind): Kind {
  const { list: _, parents: __, existsBy: ___, ...reads } = kind.reads;
  return { ...kind, reads };
}

/** A kind whose objects in some parents are shown by one search; the kind itself where one list is enough, or all there is. */
export function searched(kind: Kind, parents: readonly Key[]): Kind {
  const { parents: search } = kind.reads;
  const [first, ...others] = parents;
  if (search === undefined || others.every((other) => same(other, first))) return kind;
  const all = [...new Map(parents.map((parent) => [parent.join("/"), parent])).values()];
  const list: Kind["reads"]["list"] = {
    of: () => search.within(all),
    row(row, parent) {
      const observed = search.row(row);
      return observed !== undefined && same(observed.key.slice(0, -1), parent) ? observed : undefined;
    },
  };
  return { ...kind, reads: { ...kind.reads, list } };
}

/** An object that could not be read. */
export function unread(kind: Kind, why: string): Seen {
  return { as: "unread", diagnostic: say("apply/not-read", { noun: kind.noun.one, why }) };
}
