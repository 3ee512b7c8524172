import { isFindable } from "../../kinds/findable.js";
import { kindNamed } from "../../kinds/index.js";
import { isLive } from "../../kinds/interface.js";
import type { Plan } from "../../plan/plan.js";
import { deedOf } from "../../plan/step.js";

/** The kinds of a plan's creates whose objects the service does not show afterwards: only the journal knows of them. */
export function unseenCreates({ steps, interface: { kinds } }: Plan): readonly string[] {
  const isSeen = (name: string) => {
    const kind = kindNamed(name);
    return kind !== undefined && isLive(kinds, name) && isFindable(kind, null);
  };
  const created = steps.filter((step) => deedOf(step) === "create").map(({ address }) => address.kind);
  return [...new Set(created)].filter((name) => !isSeen(name)).sort();
}
