import type { Kind, Observed } from "../../kinds/kind.js";
import { normalise } from "../../kinds/normalise.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import type { Reader } from "../../tenant/reader.js";
import { readLists, whyUnread } from "../../tenant/wholeObject.js";
import { say } from "../../words/say.js";

/** An import reads the lists of so many objects: it does not take hours over a large tenant. */
export const MOST_LISTED = 500;

/** Whether objects of a kind have parts with lists of their own. */
export function hasLists({ reads: { parts = [] } }: Kind): boolean {
  return parts.some(({ as }) => as === "lists");
}

/** An object with its parts that have lists of their own. */
interface Listed<T> {
  readonly objects: readonly T[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Objects with the parts that take calls of their own, for so many of them at most. Where the first cannot be read, the
 * others are not asked for.
 */
export async function withListedParts<T extends { readonly object: Observed }>(
  kind: Kind,
  objects: readonly T[],
  reader: Reader,
  most: number,
): Promise<Listed<T>> {
  let listed: Listed<T> = { objects, diagnostics: [] };
  for (const part of kind.reads.parts ?? []) {
    if (part.as !== "lists" || objects.length === 0) continue;
    const { field, noun } = part;
    const values = { parts: noun, nouns: kind.noun.many, field };
    const told = (diagnostic: Diagnostic) => {
      listed = { ...listed, diagnostics: [...listed.diagnostics, diagnostic] };
    };
    const read = async ({ object: { key } }: T): Promise<JsonObject | string> => {
      const fetched = await readLists(kind, part, key, reader, "optional");
      if (fetched.as === "got") return normalise({ [field]: fetched.value }, kind.shape);
      return whyUnread(fetched) ?? ("why" in fetched ? fetched.why : "");
    };
    const [first, ...rest] = objects.slice(0, most);
    const one = first === undefined ? {} : await read(first);
    const all = typeof one === "string" ? [one] : [one, ...(await Promise.all(rest.map(read)))];
    const why = all.find((each) => typeof each === "string");
    if (why !== undefined) told(say("command/import-parts#unread", { ...values, why }));
    if (typeof one !== "string" && objects.length > most) {
      const count = objects.length - most;
      const calls = part.calls([]).length;
      told(
        say("command/import-parts#bounded", { ...values, most: MOST_LISTED, calls, count, kind: kind.name }),
      );
    }
    const objectsNow = listed.objects.map((each, at) => {
      const fields = all[at];
      if (fields === undefined || typeof fields === "string") return each;
      return { ...each, object: { ...each.object, fields: { ...each.object.fields, ...fields } } };
    });
    listed = { ...listed, objects: objectsNow };
  }
  return listed;
}
