import { kindOf } from "../../kinds/index.js";
import type { Kind } from "../../kinds/kind.js";
import { type Address, formatAddress, parseAddress, withoutKey } from "../../model/address.js";
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { Key } from "../../model/key.js";
import type { Entry, Snapshot } from "../../state/snapshot.js";
import { say } from "../../words/say.js";
import type { Mode } from "../plan.js";
import { nameOf } from "./which.js";

/** A decision on one removed object, as `removed:` in the project file has it. */
export interface Removal {
  /** `Kind/name`, without a key. */
  readonly address: string;
  /** `APP/ID`; null where the address is enough. */
  readonly key: string | null;
  readonly decision: "delete" | "forget";
  readonly span: Span | null;
}

/** What is decided about removed objects, beside `--prune`. */
export interface Removals {
  readonly decisions: readonly Removal[];
  /** Whether `prune: true` stands in the project file and `--prune` was not given. */
  readonly isPruneStanding: boolean;
}

/** The decision on a removed object; null where there is none yet. */
export function removalOf(
  entry: Pick<Entry, "address" | "key">,
  decisions: readonly Removal[],
): Removal | null {
  return decisions.find((one) => isFor(one, entry)) ?? null;
}

function isFor({ address, key }: Removal, entry: Pick<Entry, "address" | "key">): boolean {
  return address === formatAddress(entry.address) && (key === null || key === entry.key.join("/"));
}

/** Whether a decision deletes, or forgets, the object of a step, whose address may contain the key. */
export function isDecided(
  decision: Removal["decision"],
  { address, key }: { readonly address: Address; readonly key: Key | null },
  decisions: readonly Removal[],
): boolean {
  if (key === null) return false;
  const name = formatAddress(withoutKey(address, key));
  return decisions.some(
    (one) =>
      one.decision === decision && one.address === name && (one.key === null || one.key === key.join("/")),
  );
}

/** The objects that a decision names by key where no state knows them: nothing but the key is known of them. */
export function namedByKey(decisions: readonly Removal[], snapshot: Snapshot | null): readonly Entry[] {
  if (snapshot !== null) return [];
  return decisions.flatMap(({ address, key, decision }): readonly Entry[] => {
    const parsed = parseAddress(address);
    if (parsed === undefined || key === null || decision === "forget") return [];
    return [unknownEntry(parsed, key)];
  });
}

function unknownEntry(address: Address, key: string): Entry {
  const nothing = { applied: {}, answered: null, rewritten: [], at: "", protected: false };
  return { address, key: key.split("/"), ...nothing };
}

/** What is wrong with decisions, and those that are done. */
export function removalDiagnostics(
  decisions: readonly Removal[],
  removed: readonly Entry[],
  taken: ReadonlySet<string>,
  hasState: boolean,
): readonly Diagnostic[] {
  return decisions.flatMap((one): readonly Diagnostic[] => {
    const { address, key, span } = one;
    const matching = removed.filter((entry) => isFor(one, entry));
    const why = key !== null ? null : needsKey(address, matching, taken, hasState);
    if (why !== null) {
      const names = matching.map((entry) => formatAddress(nameOf(entry, new Set([address]))));

      return [
        say(
          names.length === 0 ? "plan/removal-needs-key#none" : "plan/removal-needs-key#names",
          { address, why, names },
          { span },
        ),
      ];
    }
    if (matching.length > 0) return [];

    return [say("plan/removal-idle", { address, key: key === null ? "" : `@${key}` }, { span })];
  });
}

function needsKey(
  address: string,
  matching: readonly Entry[],
  taken: ReadonlySet<string>,
  hasState: boolean,
): string | null {
  if (!hasState) return "without a state, the address alone does not tell which object is meant";
  if (taken.has(address)) return "a manifest of the project has this address";
  return matching.length > 1 ? `${matching.length} removed objects have this address` : null;
}

/** The objects that a decision, or `--prune`, may delete. */
export function mayBeDeleted(
  removed: readonly Entry[],
  { decisions }: Pick<Removals, "decisions">,
  { prune }: Pick<Mode, "prune">,
): readonly { readonly kind: Kind; readonly key: Key }[] {
  return removed.flatMap(({ address, key }) => {
    const kind = kindOf(address);
    const removal = removalOf({ address: withoutKey(address, key), key }, decisions);
    const isPruned = prune && kind.isDeletedByEntry !== true;
    return removal?.decision === "delete" || (removal === null && isPruned) ? [{ kind, key }] : [];
  });
}
