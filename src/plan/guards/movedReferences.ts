import type { Kind } from "../../kinds/kind.js";
import { targetOf } from "../../kinds/referable.js";
import { nameIn } from "../../kinds/spelling.js";
import { same } from "../../model/json.js";
import { spellReference } from "../../model/meaning.js";
import type { Entry } from "../../state/snapshot.js";
import { parentOf } from "../../tenant/desire.js";
import type { MovedName } from "../../tenant/names/movedName.js";
import type { Step } from "../step.js";

/**
 * The names of a manifest that mean another object than at its last apply; `old` is the object that has the address. A
 * manifest without an id names its object by the display name.
 */
export function movedIn(
  { managed: { meanings, identity }, key, after }: Pick<Step, "managed" | "key" | "after">,
  old: Entry | null,
  kind: Kind,
): readonly MovedName[] {
  if (old === null) return [];
  const before = old.meanings ?? {};
  const moved = Object.entries(meanings).flatMap(([reference, now]): readonly MovedName[] => {
    const was = before[reference];
    return was === undefined || was === now ? [] : [{ reference, was, now }];
  });
  const [was, now] = [old.key.at(-1), key?.at(-1)];
  const isNamed = kind.key(identity) === null && same(parentOf(kind, identity), old.key.slice(0, -1));
  const text = nameIn(after ?? {});
  const of = targetOf(kind);
  if (!isNamed || was === now || was === undefined || now === undefined) return moved;
  if (of === undefined || text === "") return moved;
  const reference = spellReference({ of, app: old.key[0] ?? "", by: "name", text });
  return [...moved, { reference, was, now }];
}
