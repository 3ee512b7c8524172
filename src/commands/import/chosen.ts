import { ownApp } from "../../kinds/app.js";
import { kindNamed } from "../../kinds/index.js";
import type { Kind } from "../../kinds/kind.js";
import { REFERABLE } from "../../kinds/lookups.js";
import { listOfApps } from "../../kinds/referable.js";
import type { Address } from "../../model/address.js";
import { globbed } from "../../model/glob.js";
import type { JsonObject } from "../../model/json.js";
import type { Key } from "../../model/key.js";
import { hasApp } from "../../tenant/inventory.js";
import type { Reader } from "../../tenant/reader.js";
import type { RowCondition } from "../../tenant/rowFilter.js";

/** Which objects are imported. */
export interface ImportChoice {
  /** Kinds, and for each the patterns that its names may fit; empty for every kind. */
  readonly patterns: readonly { readonly kind: string; readonly name: string }[];
  /** Ids or names of apps; empty for every app. */
  readonly apps: readonly string[];
  /** Ids of templates that no list may show. */
  readonly templates: readonly string[];
  readonly limit: number | null;
  /** What the rows of lists must show. */
  readonly where: readonly RowCondition[];
  /** The only objects to import, where another tool lists them; null for what the tenant's lists lead to. */
  readonly objects: readonly KnownObject[] | null;
}

/** An object that another tool lists: its key, and what that tool knows of it. */
interface KnownObject {
  readonly kind: string;
  readonly key: Key;
  /** What the object is called there; its new name. */
  readonly called: string;
  /** Fields that no read of the service shows. */
  readonly unseen: JsonObject;
}

/** The choice with whole keys: of what belongs to the tenant's own app, another tool may list the last parts alone. */
export async function withWholeKeys(choice: ImportChoice, reader: Reader): Promise<ImportChoice> {
  const { objects } = choice;
  const isShort = ({ kind, key }: KnownObject) => key.length < (kindNamed(kind)?.shape.identity.length ?? 0);
  if (objects === null || !objects.some(isShort)) return choice;
  const apps = await reader.all(REFERABLE.app.noun.many, listOfApps());
  const own = apps.as === "got" ? ownApp(apps.value) : null;
  const whole = (object: KnownObject): KnownObject =>
    isShort(object) && own !== null ? { ...object, key: [own, ...object.key] } : object;
  return { ...choice, objects: objects.map(whole) };
}

/** Whether objects of a kind are looked for at all. */
export function isChosen(kind: Kind, choice: ImportChoice): boolean {
  const { patterns, apps, objects } = choice;
  if (objects !== null && keysOf(kind, choice).length === 0) return false;
  if (patterns.length > 0) return patterns.some((pattern) => pattern.kind === kind.name);
  return apps.length === 0 || hasApp(kind);
}

/** Whether a name fits a pattern, where there are any. */
export function isNamed({ kind, name }: Address, { patterns }: ImportChoice): boolean {
  return (
    patterns.length === 0 || patterns.some((pattern) => pattern.kind === kind && globbed(pattern.name, name))
  );
}

/** The keys that another tool or the command line names of a kind. */
export function keysOf(kind: Kind, choice: ImportChoice): readonly Key[] {
  const listed = (choice.objects ?? []).filter((object) => object.kind === kind.name);
  return [...listed.map(({ key }) => key), ...namedBy(kind, choice)];
}

/** The keys that a command line names of a kind. */
function namedBy({ shape }: Kind, { templates }: ImportChoice): readonly Key[] {
  const [first = "", ...rest] = shape.identity;
  const field = shape.fields.get(first);
  const isOfTemplate = field?.type === "string" && field.form.is === "id" && field.form.of === "template";
  return isOfTemplate && rest.length === 0 ? templates.map((id) => [id]) : [];
}
