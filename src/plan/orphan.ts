import type { Desired } from "../current/world.js";
import { lastSeen } from "../diff/recorded.js";
import type { Resource } from "../manifest/resource.js";
import { formatAddress } from "../model/address.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { formatKey } from "../model/key.js";
import type { Entry } from "../state/snapshot.js";
import type { Decision } from "./decide.js";
import { diagnose } from "./diagnose.js";
import { deletedFrom } from "./driftedFrom.js";
import { notSeen } from "./notSeen.js";
import type { Mode } from "./plan.js";
import type { Removal } from "./removal.js";
import { addressesOf, nameOf } from "./removed.js";
import { restorable } from "./restorable.js";
import type { Situation } from "./situation.js";
import type { Reason } from "./step.js";
import { withoutManifest } from "./withoutManifest.js";

/** Of the objects that seem removed, those that no manifest stands for once every key is known, as the plan names them. */
export function orphansOf(
  removed: readonly Entry[],
  { project, desired }: { readonly project: readonly Resource[]; readonly desired: readonly Desired[] },
  decisions: readonly Decision[],
): readonly Entry[] {
  const keyless = decisions.filter(({ key }) => key === null);
  const anew = new Set(
    keyless.filter(({ action }) => action === "create").map(({ address }) => formatAddress(address)),
  );
  const unclear = new Set(
    keyless.filter(({ action }) => action !== "create").map(({ address }) => formatAddress(address)),
  );
  const held = new Set(
    desired.flatMap(({ resource: { address }, key }) =>
      key === null || anew.has(formatAddress(address)) ? [] : formatKey(address.kind, key),
    ),
  );
  const taken = addressesOf(project);
  return removed
    .filter(
      ({ address, key }) => !held.has(formatKey(address.kind, key)) && !unclear.has(formatAddress(address)),
    )
    .map((entry) => ({ ...entry, address: nameOf(entry, taken) }));
}

/** What is done about an object that has no manifest any more: nothing, until someone decides. */
export function decideOrphan(
  entry: Entry,
  situation: Situation,
  mode: Pick<Mode, "prune" | "cascade">,
  removal: Removal | null,
  why: Reason = "manifest removed",
): Decision {
  const { seen, kind, on } = situation;
  const base = undecided(entry, situation, why);
  if (seen.as === "absent") return { ...base, action: "forget", reason: "gone from tenant", restore: {} };
  if (removal?.decision === "forget") return { ...base, action: "forget", span: removal.span };
  if (removal === null && !mode.prune)
    return seen.as === "unread" ? { ...base, diagnostics: [asWarning(seen.diagnostic)] } : base;
  const decided: Decision = { ...base, span: removal?.span ?? null };
  if (seen.as === "unread")
    return { ...decided, action: "blocked", reason: "read failed", diagnostics: [seen.diagnostic] };
  if (seen.as === "present" && seen.managedBy !== undefined) {
    const action = removal === null ? "removed" : "blocked";
    const diagnostics = [diagnose.managed(decided, seen.managedBy)];
    return { ...decided, action, reason: "managed elsewhere", diagnostics };
  }
  if (!kind.verbs[on].includes("delete")) {
    return {
      ...decided,
      action: "blocked",
      reason: "cannot delete",
      diagnostics: [diagnose.noDelete(decided, kind)],
    };
  }
  const isNamed = removal !== null || mode.cascade.includes(formatAddress(entry.address));
  if (kind.holdsOthers && !isNamed) return { ...decided, diagnostics: [diagnose.holdsOthers(decided, kind)] };
  const before = seen.as === "present" ? seen.fields : lastSeen(entry);
  const driftedFrom = seen.as === "present" ? deletedFrom(situation.entry, before, kind.shape) : null;
  return {
    ...decided,
    action: "delete",
    reason: why,
    restore: {},
    before,
    driftedFrom,
    changedAt: driftedFrom !== null && seen.as === "present" ? (seen.changedAt ?? null) : null,
    unseen: notSeen(situation),
  };
}

/** A failed read does not matter to an object that waits for a decision. */
function asWarning(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: "warning" };
}

function undecided(
  entry: Entry,
  situation: Pick<Situation, "kind" | "seen" | "entry">,
  reason: Reason,
): Decision {
  const { kind, seen } = situation;
  return {
    ...withoutManifest(entry, situation),
    action: "removed",
    reason,
    span: null,
    owned: [],
    restore: restorable(entry, Object.keys(entry.original ?? {}), seen, kind),
    lastFile: entry.file ?? null,
  };
}
