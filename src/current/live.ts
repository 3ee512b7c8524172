import type { Kind, Observed } from "../kinds/kind.js";
import type { Json } from "../model/json.js";
import type { Directory } from "./directory.js";
import { type Reads, readsFor, type Wanted } from "./reads.js";
import type { Fetched, Reader } from "./remote.js";
import type { Seen } from "./world.js";

/** What the service showed of one kind, or that it does not offer to show it. */
export type Live =
  | { readonly offered: true; readonly objects: ReadonlyMap<string, Seen> }
  | { readonly offered: false; readonly why: string };

type Answer = readonly [string, Seen];
type Asked = {
  readonly answers: readonly Answer[];
  readonly refusal: string | null;
  readonly absent: boolean;
};

/** Reads every wanted object of a kind; one read goes first, to learn whether the service offers it at all. */
export async function readLive(
  kind: Kind,
  wanted: readonly Wanted[],
  reader: Reader,
  directory: Directory,
): Promise<Live> {
  const reads = readsFor(
    kind,
    wanted.filter((one) => !isKnownAbsent(one, directory)),
  );
  const spared = wanted.filter((one) => isKnownAbsent(one, directory)).map(({ name }) => absent(name));
  const questions = questionsOf(kind, reads, reader);
  const [first, ...rest] = questions;
  if (first === undefined) return { offered: true, objects: new Map(spared) };

  const opening = await first();
  const refusal = opening.refusal ?? (opening.absent ? await missingRouter(directory) : null);
  if (refusal !== null) return { offered: false, why: refusal };
  const others = await Promise.all(rest.map((ask) => ask()));
  return {
    offered: true,
    objects: new Map([...spared, ...opening.answers, ...others.flatMap(({ answers }) => answers)]),
  };
}

// Some routers answer an unknown path in the very form of the service's own "not found". A list that every
// full service offers tells the two apart.
async function missingRouter(directory: Directory): Promise<string | null> {
  const apps = await directory.apps();
  return apps.as === "not offered" || apps.as === "absent"
    ? "the server answers 404 to every read, its list of apps included"
    : null;
}

function questionsOf(kind: Kind, reads: Reads, reader: Reader): readonly (() => Promise<Asked>)[] {
  const { list } = kind.reads;
  const lists = reads.lists.map(({ call, parent, wanted }) => async () => {
    const rows = await reader.all(kind.name, call);
    const observed = rows.as === "got" ? rows.value.flatMap((row) => list?.row(row, parent) ?? []) : [];
    const byId = new Map(observed.map((one) => [one.key.at(-1), one]));
    return asked(rows, () => wanted.map((one) => [one.name, among(one, observed, byId)] as const), wanted);
  });
  const items = reads.items.map(({ call, key, wanted }) => async () => {
    const body = await reader.one(kind.name, call);
    return asked(body, (value: Json) => [[wanted.name, present(kind.reads.observe(value, key))] as const], [
      wanted,
    ]);
  });
  return [...lists, ...items];
}

function asked<T>(
  fetched: Fetched<T>,
  read: (value: T) => readonly Answer[],
  wanted: readonly Wanted[],
): Asked {
  const all = (seen: Seen) => wanted.map(({ name }) => [name, seen] as const);
  switch (fetched.as) {
    case "got":
      return { answers: read(fetched.value), refusal: null, absent: false };
    case "absent":
      return { answers: all({ as: "absent" }), refusal: null, absent: true };
    case "failed":
      return { answers: all({ as: "unread", diagnostic: fetched.diagnostic }), refusal: null, absent: false };
    case "not offered": {
      const diagnostic = {
        code: "service/not-offered",
        severity: "error",
        message: fetched.why,
        hint: "The server answered other reads of this kind. Try again, or plan with `--interface core`.",
      } as const;
      return { answers: all({ as: "unread", diagnostic }), refusal: fetched.why, absent: false };
    }
  }
}

function among(
  wanted: Wanted,
  observed: readonly Observed[],
  byId: ReadonlyMap<string | undefined, Observed>,
): Seen {
  const { key, spec, kind } = wanted;
  const found = key === null ? undefined : byId.get(key.at(-1));
  // A key that the service chose is no wish of the author's: what has gone may have been made anew.
  if (found !== undefined || spec === null || kind.key(spec) !== null) return present(found);
  const matching = observed.filter((one) => kind.matches?.(spec, one) === true);
  if (matching.length <= 1) return present(matching[0]);
  const diagnostic = {
    code: "reference/ambiguous",
    severity: "error",
    message: `${matching.length} ${kind.noun.many} of the app could be meant`,
    hint: `Write the id of the one that is meant: ${matching.map(({ key }) => key.at(-1)).join(", ")}.`,
  } as const;
  return { as: "unread", diagnostic };
}

function present(observed: Observed | undefined): Seen {
  if (observed === undefined) return { as: "absent" };
  const { key, fields, managedBy } = observed;
  return managedBy === undefined ? { as: "present", key, fields } : { as: "present", key, fields, managedBy };
}

function absent(name: string): Answer {
  return [name, { as: "absent" }];
}

// The list of an app's entitlements says which of them have an automation; asking again would be a wasted call.
function isKnownAbsent({ kind, key }: Wanted, directory: Directory): boolean {
  const [app, id] = key ?? [];
  const entitlement = app === undefined ? undefined : directory.known(app)?.find((one) => one.id === id);
  return entitlement !== undefined && kind.reads.absentBy?.(entitlement) === true;
}
