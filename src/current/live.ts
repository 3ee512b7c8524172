import type { Kind, Observed } from "../kinds/kind.js";
import { LIST_OF_FULL } from "../kinds/referable.js";
import type { Directory } from "./directory.js";
import type { Fetched } from "./fetched.js";
import { offerOf } from "./offer.js";
import { type NeededReads, readsFor, type Wanted } from "./reads.js";
import type { Reader } from "./remote.js";
import { unclear } from "./unclear.js";
import type { Seen } from "./world.js";

/** What the service showed of one kind, or that it does not offer to show it. */
export type Live =
  | { readonly offered: true; readonly objects: ReadonlyMap<string, Seen> }
  | { readonly offered: false; readonly why: string };

/** One read, and what it says of the objects it was asked for. */
interface KindRead {
  readonly wanted: readonly Wanted[];
  readonly ask: () => Promise<Answer>;
}

interface Answer {
  readonly fetched: Fetched<unknown>;
  readonly seen: readonly NamedSeen[];
}

type NamedSeen = readonly [name: string, seen: Seen];

/** Reads every wanted object of a kind; one read goes first, to learn whether the service offers it at all. */
export async function readLive(
  kind: Kind,
  wanted: readonly Wanted[],
  reader: Reader,
  directory: Directory,
): Promise<Live> {
  const { spared, asked } = await spare(kind, wanted, directory);
  const [first, ...rest] = questionsOf(kind, readsFor(kind, asked), reader, directory);
  if (first === undefined) return { offered: true, objects: new Map(spared) };

  const opening = await first.ask();
  const standing = await offerOf(opening.fetched, directory, anyId(first.wanted));
  if (standing.as === "not offered") return { offered: false, why: standing.why };
  const others =
    standing.as === "silent"
      ? rest.map(({ wanted }) => without(wanted, opening.fetched))
      : await Promise.all(rest.map(({ ask }) => ask()));
  return {
    offered: true,
    objects: new Map([...spared, ...opening.seen, ...others.flatMap(({ seen }) => seen)]),
  };
}

// A list that was already read may show that the object does not exist: then no call is needed. It proves nothing where
// the service cannot show objects of the kind at all.
async function spare(kind: Kind, wanted: readonly Wanted[], directory: Directory) {
  const { absentBy } = kind.reads;
  const isAbsent = ({ key }: Wanted) => {
    const [app = "", id = ""] = key ?? [];
    const row = absentBy === undefined ? undefined : directory.known(absentBy.list, app, id);
    return row !== undefined && absentBy?.says(row) === true;
  };
  const absent = wanted.filter(isAbsent);
  if (absent.length === 0 || (await directory.firstPage(LIST_OF_FULL, "")).as !== "got")
    return { spared: [], asked: wanted };
  return {
    spared: absent.map(({ name }): NamedSeen => [name, { as: "absent" }]),
    asked: wanted.filter((one) => !isAbsent(one)),
  };
}

function questionsOf(
  kind: Kind,
  { lists, items }: NeededReads,
  reader: Reader,
  directory: Directory,
): readonly KindRead[] {
  const { list, observe } = kind.reads;
  const ofLists = lists.map(({ call, parent, wanted }) => ({
    wanted,
    async ask(): Promise<Answer> {
      const fetched = await reader.all(kind.name, call);
      if (fetched.as !== "got") return without(wanted, fetched);
      const observed = fetched.value.flatMap((row) => list?.row(row, parent) ?? []);
      for (const one of observed) directory.meet(kind, one);
      const byId = new Map(observed.map((one) => [one.key.at(-1), one]));
      return { fetched, seen: wanted.map((one) => [one.name, among(one, observed, byId)]) };
    },
  }));
  const ofItems = items.map(({ call, key, wanted }) => ({
    wanted: [wanted],
    async ask(): Promise<Answer> {
      const fetched = await reader.one(kind.name, call);
      if (fetched.as !== "got") return without([wanted], fetched);
      return { fetched, seen: [[wanted.name, present(observe(fetched.value, key))]] };
    },
  }));
  return [...ofLists, ...ofItems];
}

function without(wanted: readonly Wanted[], fetched: Fetched<unknown>): Answer {
  const seen = unseen(fetched);
  return { fetched, seen: wanted.map(({ name }) => [name, seen]) };
}

function unseen(fetched: Fetched<unknown>): Seen {
  if (fetched.as === "failed") return { as: "unread", diagnostic: fetched.diagnostic };
  if (fetched.as !== "not offered") return { as: "absent" };
  const diagnostic = {
    code: "service/not-offered",
    severity: "error",
    message: fetched.why,
    hint: "The server answered other reads of this kind. Try again, or plan with `--interface core`.",
  } as const;
  return { as: "unread", diagnostic };
}

function among(
  { key, spec, kind }: Wanted,
  observed: readonly Observed[],
  byId: ReadonlyMap<string | undefined, Observed>,
): Seen {
  const found = key === null ? undefined : byId.get(key.at(-1));
  // The author did not choose a key that the service assigned: a deleted object may have been created again.
  if (found !== undefined || spec === null || kind.key(spec) !== null) return present(found);
  const matching = observed.filter((one) => kind.matches?.(spec, one) === true);
  if (matching.length <= 1) return present(matching[0]);
  return {
    as: "unread",
    diagnostic: unclear(
      kind,
      matching.map((one) => one.key),
    ),
  };
}

function present(observed: Observed | undefined): Seen {
  if (observed === undefined) return { as: "absent" };
  const { key, fields, managedBy } = observed;
  return managedBy === undefined ? { as: "present", key, fields } : { as: "present", key, fields, managedBy };
}

function anyId([first]: readonly Wanted[]): string {
  return first?.key?.[0] ?? first?.parent[0] ?? "";
}
