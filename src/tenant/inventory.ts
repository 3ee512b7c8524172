import { type AskedInterface, askedFor } from "../kinds/interface.js";
import type { Trail } from "../kinds/inventory.js";
import type { Kind, Observed } from "../kinds/kind.js";
import { REFERABLE } from "../kinds/lookups.js";
import { listOfApps } from "../kinds/referable.js";
import type { Checked, Diagnostic } from "../model/diagnostic.js";
import type { Json } from "../model/json.js";
import { formatKey, type Key } from "../model/key.js";
import { say } from "../words/say.js";
import type { Fetched, Missed } from "./fetched.js";
import { hidden, unseen } from "./kindReads.js";
import type { Reader } from "./reader.js";
import { isWholeInRow, readWhole } from "./wholeObject.js";

/** One object that a list of the tenant led to. */
export type Sighting =
  | { readonly as: "present"; readonly observed: Observed; readonly isConnected: boolean }
  /** A list still names it, and its own read says that it is gone. */
  | { readonly as: "deleted"; readonly key: Key }
  /** The service made it for an app, and people do not manage it. */
  | { readonly as: "made for an app"; readonly key: Key; readonly app: string }
  | { readonly as: "unread"; readonly key: Key; readonly diagnostic: Diagnostic };

/** What of a kind is looked for. */
export interface InventoryScope {
  /** Null for every app; else the only apps that are looked through. */
  readonly apps: ReadonlySet<string> | null;
  /** Keys that are read where no list shows them. */
  readonly named: readonly Key[];
  /** Whether only the named keys are looked for: then a list that only leads to objects is read for its rows alone. */
  readonly isNamedOnly: boolean;
  /** Whether what no row shows of an object is read by calls of its own, too. */
  readonly withParts: boolean;
  /** Whether a row of a list is about an object that is looked for; null for every row. */
  readonly fits: ((row: Json) => boolean) | null;
}

/** All that the lists lead to, with its parts. */
export const EVERY_OBJECT: InventoryScope = {
  apps: null,
  named: [],
  isNamedOnly: false,
  withParts: true,
  fits: null,
};

/** What an inventory is read with. */
interface InventorySources extends InventoryScope {
  readonly reader: Reader;
  readonly asked: AskedInterface;
}

/**
 * Gives every object of a kind that the tenant's lists lead to, each once, as it is read. No row of a list is kept. The
 * value is whether every list was read to its end; a list that is required and was not is an error.
 */
export async function readInventory(
  kind: Kind,
  { reader, asked, apps: chosen, named, isNamedOnly, withParts, fits }: InventorySources,
  take: (sighting: Sighting) => void,
): Promise<Checked<boolean>> {
  const diagnostics: Diagnostic[] = [];
  let isWhole = true;
  const met = new Set<string>();
  const only = isNamedOnly ? new Set(named.map((key) => formatKey(kind.name, key))) : null;
  const apps = isNamedOnly ? appsIn(named, chosen) : chosen;

  function isNew(key: Key): boolean {
    const place = formatKey(kind.name, key);
    const isFirst = !met.has(place) && key.every((id) => id !== "") && only?.has(place) !== false;
    met.add(place);
    const [app = ""] = key;
    return isFirst && (apps === null || !hasApp(kind) || apps.has(app));
  }

  async function readOne(key: Key, isConnected: boolean, row?: Observed): Promise<void> {
    const fetched = await readWhole(kind, key, reader, {
      ...(row !== undefined && { row }),
      wanted: NO_LISTS,
    });
    if (fetched.as !== "got") return take(without(key, fetched));
    const { value: observed } = fetched;
    take(observed === undefined ? { as: "deleted", key } : presentAs(kind, observed, isConnected));
  }

  async function follow(
    trail: Trail,
    app: string,
    isConnected: boolean,
    made: ReadonlyMap<string, string> = new Map(),
  ): Promise<void> {
    // An object is read as soon as a row names it: the list and the objects are under way together.
    const reads: Promise<void>[] = [];
    function meet(row: Json): void {
      if (fits?.(row) === false) return;
      const shown = trail.shows === "the object" ? kind.reads.list?.row(row, [app]) : undefined;
      if (shown !== undefined) {
        if (!isNew(shown.key)) return;
        if (!withParts || isWholeInRow(kind, NO_LISTS)) take(presentAs(kind, shown, isConnected));
        else reads.push(readOne(shown.key, isConnected, shown));
      } else
        for (const key of trail.keys(row, app)) {
          if (!isNew(key)) continue;
          const of = made.get(key.at(-1) ?? "");
          if (of === undefined) reads.push(readOne(key, isConnected));
          else take({ as: "made for an app", key, app: of });
        }
    }
    const missed = await walk(reader, trail, app, meet);
    if (missed !== null && missed.as !== "absent") {
      isWhole = false;
      if (trail.isRequired) diagnostics.push(listFailed(trail, missed));
    }
    await Promise.all(reads);
  }

  // Rows choose among the named keys: what no row is about is not read.
  const isByRows = isNamedOnly && fits !== null;
  const followed = kind.inventory.trails.filter(
    ({ shows }) => !isNamedOnly || isByRows || shows === "the object",
  );
  const trails = followed.map(async (trail) => {
    const used = askedFor(asked, kind.name);
    if (used !== "auto" && !trail.on.includes(used)) {
      isWhole = false;
      if (trail.isRequired) diagnostics.push(noList(trail, `the interface \`${used}\` has none`));
      return;
    }
    if (trail.per === "tenant") return follow(trail, "", false);
    const rows = await reader.all(REFERABLE.app.noun.many, listOfApps());
    if (rows.as !== "got") {
      isWhole = false;
      if (rows.as !== "absent") diagnostics.push(listFailed({ ...trail, noun: "apps" }, rows));
      return;
    }
    const listed = new Map(rows.value.map((row) => [REFERABLE.app.list.row(row)?.id ?? "", row]));
    listed.delete("");
    const own = trail.ofOne?.(rows.value);
    if (own === null) {
      const found = await reader.all(trail.noun, trail.call(""));
      if (found.as === "got" && !found.value.some((row) => trail.keys(row, NO_APP).length > 0)) return;
      isWhole = false;
      diagnostics.push(noOwnApp(trail));
      return;
    }
    const made = new Map(
      [...listed].map(([id, row]) => [
        trail.madeForApp?.(row) ?? "",
        REFERABLE.app.list.row(row)?.name ?? id,
      ]),
    );
    const wanted = [...listed].filter(
      ([id]) => (apps === null || apps.has(id)) && (own === undefined || own === id),
    );
    await Promise.all(wanted.map(([id, row]) => follow(trail, id, trail.isConnected?.(row) === true, made)));
  });
  await Promise.all(trails);
  if (!isByRows) await Promise.all(named.filter(isNew).map((key) => readOne(key, false)));
  return { value: isWhole, diagnostics };
}

function presentAs(kind: Kind, observed: Observed, isConnected: boolean): Sighting {
  const diagnostic = hidden(kind, observed);
  if (diagnostic !== null && !isConnected) return { as: "unread", key: observed.key, diagnostic };
  return { as: "present", observed, isConnected: isConnected || observed.isConnected === true };
}

function appsIn(keys: readonly Key[], chosen: ReadonlySet<string> | null): ReadonlySet<string> {
  const apps = new Set(keys.map(([app = ""]) => app));
  return chosen === null ? apps : new Set([...apps].filter((app) => chosen.has(app)));
}

/** Whether the first part of a kind's key is an app. */
export function hasApp({ shape }: Pick<Kind, "shape">): boolean {
  const first = shape.fields.get(shape.identity[0] ?? "");
  return first?.type === "string" && first.form.is === "id" && first.form.of === "app";
}

async function walk(
  reader: Reader,
  { noun, call, isRequired }: Trail,
  app: string,
  meet: (row: Json) => void,
): Promise<Missed | null> {
  const list = call(app);
  if (isRequired) {
    const read: Fetched<unknown> = await reader.begin(
      noun,
      list,
      (row) => meet(row),
      () => true,
    );
    return read.as === "got" ? null : read;
  }
  const end = await reader.pages(noun, list, (rows) => {
    for (const row of rows) meet(row);
  });
  // What was asked and answered is among the reader's own optional reads that failed.
  return end === "ended" ? null : { as: "not offered", why: `${noun} could not be read` };
}

function without(key: Key, missed: Missed): Sighting {
  const seen = unseen(missed);
  return seen.as === "unread" ? { as: "unread", key, diagnostic: seen.diagnostic } : { as: "deleted", key };
}

function listFailed(trail: Trail, missed: Exclude<Missed, { as: "absent" }>): Diagnostic {
  return missed.as === "failed" ? missed.diagnostic : noList(trail, missed.why);
}

function noList({ noun }: Trail, why: string): Diagnostic {
  return say("service/not-offered#noList", { noun, why });
}

/** Of what a row shows, the parts with lists of their own stay unread: two calls for each object. */
const NO_LISTS = { spec: null, expected: null };

/** What stands for an app where only the rows of a list count. */
const NO_APP = "none";

function noOwnApp({ noun }: Trail): Diagnostic {
  return say("reference/own-app", { noun });
}
