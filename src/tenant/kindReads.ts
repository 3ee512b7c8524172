import type { Kind, Observed } from "../kinds/kind.js";
import { nameIn } from "../kinds/spelling.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { type JsonObject, same } from "../model/json.js";
import { say } from "../words/say.js";
import type { Fetched, Missed } from "./fetched.js";
import type { Seen } from "./known.js";
import { madeBy } from "./madeBy.js";
import type { Directory } from "./names/directory.js";
import { namesakes, unclear } from "./names/unclear.js";
import type { Reader } from "./reader.js";
import { type Need, type NeededReads, readsFor, type Wanted } from "./reads.js";
import { isWholeInRow, readWhole } from "./wholeObject.js";

/** One read, and the objects that it is for. */
export interface KindRead {
  readonly of: "list" | "object";
  readonly wanted: readonly Wanted[];
  readonly ask: (need: Need) => Promise<KindAnswer>;
}

/** What one read was answered, and what it says of the objects that it was for. */
export interface KindAnswer {
  readonly of: KindRead["of"];
  readonly fetched: Fetched<unknown>;
  readonly seen: readonly NamedSeen[];
}

/** What is known of an object, by its name. */
type NamedSeen = readonly [name: string, seen: Seen];

/** The fewest reads that show every wanted object of a kind, in a fixed order; nothing is sent before one is asked. */
export function kindReadsFor(
  kind: Kind,
  wanted: readonly Wanted[],
  reader: Reader,
  directory: Directory,
): readonly KindRead[] {
  const { lists, items }: NeededReads = readsFor(kind, wanted);
  const { list } = kind.reads;
  const ofLists = lists.map(
    ({ call, parent, wanted }): KindRead => ({
      of: "list",
      wanted,
      async ask(need) {
        const fetched = await reader.all(kind.name, call, need);
        // Where their parent is not there, objects are gone only as far as the service says so of each.
        if (fetched.as === "absent") {
          const seen = wanted.map(async (one): Promise<NamedSeen> => [one.name, await alone(one, reader)]);
          return { of: "list", fetched, seen: await Promise.all(seen) };
        }
        if (fetched.as !== "got") return without("list", wanted, fetched);
        const rows = fetched.value.flatMap((row) => list?.row(row, parent) ?? []);
        // A row that is on two pages of a list stands for one object.
        const byId = new Map(rows.map((one) => [one.key.at(-1), one]));
        const observed = [...byId.values()];
        for (const one of observed) directory.meet(kind, one);
        directory.keepList(kind, parent, observed);
        const seen = wanted.map(async (one): Promise<NamedSeen> => {
          return [one.name, await proven(one, among(one, observed, byId, wanted), reader)];
        });
        return { of: "list", fetched, seen: await Promise.all(seen) };
      },
    }),
  );
  const ofItems = items.map(
    ({ key, wanted }): KindRead => ({
      of: "object",
      wanted: [wanted],
      async ask(need) {
        const fetched = await readWhole(kind, key, reader, { need, wanted });
        if (fetched.as !== "got") return without("object", [wanted], fetched);
        if (fetched.value !== undefined) directory.meet(kind, fetched.value);
        return { of: "object", fetched, seen: [[wanted.name, present(kind, fetched.value)]] };
      },
    }),
  );
  return [...ofLists, ...ofItems];
}

function without(of: KindRead["of"], wanted: readonly Wanted[], fetched: Missed): KindAnswer {
  const seen = unseen(fetched);
  return { of, fetched, seen: wanted.map(({ name }) => [name, seen]) };
}

/** What a read without an answer says of an object. */
export function unseen(fetched: Missed): Seen {
  if (fetched.as === "failed") return { as: "unread", diagnostic: fetched.diagnostic };
  if (fetched.as !== "not offered") return { as: "absent" };
  const diagnostic = say("service/not-offered#unseen", { why: fetched.why });
  return { as: "unread", diagnostic };
}

function among(
  { key, spec, kind, sent }: Wanted,
  observed: readonly Observed[],
  byId: ReadonlyMap<string | undefined, Observed>,
  wanted: readonly Wanted[],
): Seen {
  const found = key === null ? undefined : byId.get(key.at(-1));
  if (spec === null || kind.key(spec) !== null) return present(kind, found);
  const matches = (one: Observed) => kind.matches?.(spec, one) === true;
  const matching = observed.filter(matches);
  if (found !== undefined) {
    // Only the state says that this object is meant, and one that no other manifest stands for has its name.
    const twins = matching.filter(
      (one) => one !== found && !wanted.some((other) => same(other.key, one.key)),
    );
    if (!matches(found) && twins.length > 0) return unsure(kind, [found, ...twins]);
    const seen = present(kind, found);
    return seen.as === "present" && twins.length > 0 ? { ...seen, twins } : seen;
  }
  if (sent !== undefined && kind.namesRepeat === true) {
    // The manifest may say something else since, and other manifests may mean objects of that name.
    const asSent = (one: Observed) => kind.matches?.({ ...spec, ...sent.applied }, one) === true;
    const isOthers = (one: Observed) => wanted.some((other) => same(other.key, one.key));
    const made = madeBy(
      sent,
      observed.filter((one) => asSent(one) && !isOthers(one)),
      kind,
    );
    if (made !== undefined) return present(kind, made);
  }
  if (kind.namesRepeat === true && matching.length > 0) {
    return { as: "unread", diagnostic: namesakes(kind, matching), namesakes: matching };
  }
  const doubt = matching.length === 0 ? hiddenAmong(kind, observed) : null;
  if (doubt !== null) return { as: "unread", diagnostic: doubt };
  // The author did not choose a key that the service assigned: a deleted object may have been created again.
  if (matching.length > 1) return unsure(kind, matching);
  const [only] = matching;
  if (only !== undefined) return present(kind, only);
  return key === null && kind.mayRepeat?.(spec) === true
    ? { as: "absent", beside: observed }
    : { as: "absent" };
}

function unsure(kind: Kind, candidates: readonly Observed[]): Seen {
  return { as: "unread", diagnostic: unclear(kind, candidates) };
}

/** An object whose parent the service does not have, by its own read; without a key there is nothing to read. */
async function alone(wanted: Wanted, reader: Reader): Promise<Seen> {
  const { kind, key, parent } = wanted;
  if (key === null) {
    return {
      as: "unread",
      diagnostic: say("plan/parent-missing#alone", { parent: parent.join("/"), noun: kind.noun.one }),
    };
  }
  const fetched = await readWhole(kind, key, reader, { wanted });
  return fetched.as === "got" ? present(kind, fetched.value) : unseen(fetched);
}

/**
 * Reads the object itself where a list does not show what was expected: rows of a list may be older than the object.
 * Where nothing was expected, the list decides, unless it lacks an object whose id the author wrote.
 */
async function proven(wanted: Wanted, listed: Seen, reader: Reader): Promise<Seen> {
  const { kind, spec, expected, sent } = wanted;
  const made = sent !== undefined && listed.as === "present" ? listed.key : null;
  const key = wanted.key ?? made;
  if (key === null || (listed.as !== "present" && listed.as !== "absent")) return listed;
  const isMissed = listed.as === "absent" && spec !== null && kind.key(spec) !== null;
  const isListed = listed.as === "present" && same(listed.key, key);
  const isWhole = listed.as === "absent" || isWholeInRow(kind, wanted);
  if (isWhole && expected === null && !isMissed) return listed;
  const isCurrent = isListed && (expected === null || same(listed.fields, ownOf(kind, expected)));
  if (isWhole && isCurrent) return listed;
  const fetched = await readWhole(kind, key, reader, { wanted, ...(isCurrent ? { row: listed } : {}) });
  if (fetched.as === "got") return present(kind, fetched.value);
  const isReplaced = listed.as === "present" && !isListed && fetched.as === "absent";
  return isReplaced || fetched.as === "not offered" ? listed : unseen(fetched);
}

/** The fields of an object that a row of a list shows: all but its parts. */
function ownOf({ reads: { parts = [] } }: Kind, fields: JsonObject): JsonObject {
  const isPart = (name: string) => parts.some(({ field }) => field === name);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isPart(name)));
}

/** What a read showed as an object that is there; absent where it showed none, unread where it hides fields. */
export function present(kind: Kind, observed: Observed | undefined): Seen {
  if (observed === undefined) return { as: "absent" };
  const diagnostic = hidden(kind, observed);
  return diagnostic === null ? { as: "present", ...observed } : { as: "unread", diagnostic };
}

type Form = Pick<Kind, "noun" | "shape">;

/**
 * What is wrong with an object that is shown without a field that every object of its kind has; null where it has them
 * all. The service shows a field blank where the token may not see it, so nothing of such an object is known.
 */
export function hidden(kind: Form, observed: Observed): Diagnostic | null {
  const fields = hiddenFields(kind, observed);
  if (fields.length === 0) return null;
  const named = fields.map((name) => `\`${name}\``).join(" and ");
  return say("service/blank-fields#one", { noun: kind.noun.one, named });
}

/** Siblings that are shown without what a manifest would recognise them by; null where there are none. */
function hiddenAmong(kind: Form, siblings: readonly Observed[]): Diagnostic | null {
  // An id may stand for a name in a manifest, so a name need not be required.
  const isHidden = (one: Observed) => nameIn(one.fields) === "" || hiddenFields(kind, one).length > 0;
  const count = siblings.filter(isHidden).length;
  if (count === 0) return null;
  return say("service/blank-fields#some", { count, noun: count === 1 ? kind.noun.one : kind.noun.many });
}

function hiddenFields({ shape }: Form, { fields }: Observed): readonly string[] {
  return shape.required.filter((name) => !Object.hasOwn(fields, name));
}
