import type { Finder } from "../../kinds/named.js";
import { referable } from "../../kinds/referable.js";
import type { JsonObject } from "../../model/json.js";
import type { Catalogue, PointedAt } from "./catalogue.js";
import type { Directory } from "./directory.js";

/**
 * A reference that means an id and nothing else, of the form asked for where there is one. Null where no list shows that it
 * is the only one.
 */
export async function nameFor(
  { of, app, id }: PointedAt,
  by: string,
  { catalogue, directory }: { readonly catalogue: Catalogue; readonly directory: Directory },
): Promise<JsonObject | null> {
  const named = await catalogue.find({ of, app, id });
  if (named === undefined) return null;
  const { finders } = referable(of);
  const first = finders.filter((one) => one === by);
  for (const form of [...first, ...finders.filter((one) => one !== by)] as readonly Finder[]) {
    const text = named[form] ?? "";
    if (text === "") continue;
    const given = of === "app" && form === "name" ? directory.given(text) : undefined;
    if (given !== undefined && given !== id) continue;
    const listed = await directory.list({ target: of, app, by: form, text, probable: null });
    if (listed.as !== "got") continue;
    const [only, ...others] = listed.value.called(form, text);
    if (only?.id === id && others.length === 0) return { [form]: text };
  }
  return null;
}
