import type { Kind, Observed } from "../kinds/kind.js";
import { nameIn } from "../kinds/spelling.js";
import type { Catalogue, PointedAt } from "../tenant/names/catalogue.js";
import { identityOf } from "./manuscript.js";
import { type Nameless, nameAll, slugOf } from "./naming.js";
import { pointersIn } from "./pointers.js";

/** What the names of new manifests are made from beside the objects. */
interface NameSources {
  /** What another tool calls an object; empty where none does. */
  readonly givenTo: (object: Observed) => string;
  readonly taken: ReadonlySet<string>;
  readonly catalogue: Catalogue;
}

/** An object without a name, and the app that it belongs to. */
interface NamelessObject extends Nameless {
  readonly app: { readonly id: string; readonly name: string } | null;
}

/**
 * A name for each object of a kind that has no manifest. Aliases are read only of objects that share a name or have none.
 */
export async function newNames(
  kind: Kind,
  objects: readonly Observed[],
  { givenTo, taken, catalogue }: NameSources,
): Promise<{ readonly names: readonly string[]; readonly own: readonly NamelessObject[] }> {
  const used = new Set([...taken].map((name) => name.toLowerCase()));
  const plain = objects.map((object) => slugOf(shownName(object, givenTo(object))));
  const counts = new Map<string, number>();
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  const own = await Promise.all(
    objects.map((object, place) => {
      const name = plain[place] ?? "";
      const isShared = (counts.get(name) ?? 0) > 1 || used.has(name);
      return nameless(kind, object, givenTo(object), catalogue, isShared);
    }),
  );
  return { names: nameAll(kind.name, own, taken), own };
}

/**
 * What an object may be called: as another tool calls it, its own display name, or the names of what its key ends in. Its
 * alias, where it is asked for, and its app tell it from others.
 */
export async function nameless(
  kind: Kind,
  object: Observed,
  given: string,
  catalogue: Catalogue,
  withAlias = false,
): Promise<NamelessObject> {
  const pointers: readonly PointedAt[] = pointersIn(identityOf(kind, object.key), kind.shape);
  const shown = shownName(object, given);
  const last = pointers.at(-1);
  const isAsked = withAlias || shown === "";
  const target = last === undefined || !isAsked ? undefined : await catalogue.find(last);
  const app = pointers.find(({ of }) => of === "app");
  const context = app === undefined ? undefined : await catalogue.find(app);
  const alias = target?.alias ?? "";
  return {
    called: shown === "" ? [alias, target?.name ?? ""] : [shown],
    alias,
    context: context?.name ?? "",
    app: app === undefined ? null : { id: app.id, name: context?.name ?? "" },
    id: object.key.join("-"),
  };
}

function shownName({ fields }: Observed, given: string): string {
  return given === "" ? nameIn(fields) : given;
}
