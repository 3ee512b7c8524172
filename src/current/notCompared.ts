import { formatKey } from "../model/key.js";
import type { NotCompared, Seen } from "./world.js";

/** What was seen of the objects of one kind and is not compared; empty without such members. */
export function notComparedIn(kind: string, seen: Iterable<Seen>): readonly NotCompared[] {
  const byObject = new Map(
    [...seen].flatMap((one) =>
      one.as === "present" && one.notCompared !== undefined
        ? [[formatKey(kind, one.key), one.notCompared] as const]
        : [],
    ),
  );
  const members = [...new Set([...byObject.values()].flat())].sort();
  return members.length === 0 ? [] : [{ kind, objects: byObject.size, members }];
}
