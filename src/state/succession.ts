import { say } from "../words/say.js";
import type { Version } from "./snapshot.js";
import { StateError } from "./store.js";

/** Throws a `StateError` unless a snapshot is the next one after what is kept; anything may follow nothing. */
export function checkSuccession(name: string, kept: Version | null, next: Version): void {
  if (kept === null || (kept.lineage === next.lineage && kept.serial + 1 === next.serial)) return;
  const found =
    kept.lineage === next.lineage ? `serial ${kept.serial}` : `lineage ${kept.lineage} serial ${kept.serial}`;
  throw new StateError(
    say("state/changed", {
      name,
      kept: found,
      following: `${next.lineage} serial ${next.serial - 1}`,
    }),
  );
}
