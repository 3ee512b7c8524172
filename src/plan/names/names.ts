import { kindOf } from "../../kinds/index.js";
import { nameIn } from "../../kinds/spelling.js";
import { same } from "../../model/json.js";
import type { ShownNames } from "../../tenant/known.js";
import { referencesIn, referenceTo } from "../references.js";
import type { Step } from "../step.js";

/** The display names of what the steps point at, and of nothing else: other objects come and go without this plan changing. */
export function namesFor(steps: readonly Step[], names: ShownNames): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  for (const {
    address,
    key,
    managed: { identity },
    before,
    after,
  } of steps) {
    const kind = kindOf(address);
    const { shape } = kind;
    const own = kind.namesRepeat !== true || key === null ? undefined : referenceTo(kind, key);
    // What stays as it is shows no fields, and its manifest need not write its id.
    if (before === null && after === null && key !== null && !same(kind.key(identity), key)) {
      const self = referenceTo(kind, key) ?? "";
      const name = names.get(self) ?? "";
      if (name !== "") found.set(self, name);
    }
    const worlds = before === null && after === null ? [{}] : [before ?? {}, after ?? {}];
    for (const fields of worlds) {
      for (const reference of referencesIn({ ...identity, ...fields }, shape)) {
        const name = names.get(reference) ?? (reference === own ? nameIn(fields) : "");
        if (name !== "") found.set(reference, name);
      }
    }
  }
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}
