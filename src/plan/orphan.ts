import type { Desired } from "../current/world.js";
import { recordedFields } from "../diff/recorded.js";
import type { Resource } from "../manifest/resource.js";
import { formatAddress } from "../model/address.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { formatKey } from "../model/key.js";
import type { Entry } from "../state/snapshot.js";
import type { Decision } from "./decide.js";
import { diagnose } from "./diagnose.js";
import { existenceOf } from "./existence.js";
import { notSeen } from "./notSeen.js";
import type { Mode } from "./plan.js";
import { proofOf, recordProofOf } from "./proof.js";
import { addressesOf, nameOf } from "./removed.js";
import { identityOf, type Situation } from "./situation.js";

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

/** What is done about an object that is remembered and has no manifest any more. */
export function decideOrphan(
  entry: Entry,
  situation: Situation,
  mode: Pick<Mode, "prune" | "cascade">,
): Decision {
  const { seen, kind, on } = situation;
  const base = undecided(entry, situation);
  if (seen.as === "absent") return { ...base, action: "forget", reason: "gone from tenant" };
  if (!mode.prune)
    return seen.as === "unread" ? { ...base, diagnostics: [asWarning(seen.diagnostic)] } : base;
  if (seen.as === "unread")
    return { ...base, action: "blocked", reason: "read failed", diagnostics: [seen.diagnostic] };
  if (seen.as === "present" && seen.managedBy !== undefined) {
    return { ...base, reason: "managed elsewhere", diagnostics: [diagnose.managed(base, seen.managedBy)] };
  }
  if (!kind.verbs[on].includes("delete")) {
    return {
      ...base,
      action: "blocked",
      reason: "cannot delete",
      diagnostics: [diagnose.noDelete(base, kind)],
    };
  }
  if (kind.holdsOthers && !mode.cascade.includes(formatAddress(entry.address))) {
    return { ...base, diagnostics: [diagnose.holdsOthers(base, kind)] };
  }
  const before = seen.as === "present" ? seen.fields : recordedFields(entry);
  return { ...base, action: "delete", reason: "manifest removed", before, unseen: notSeen(situation) };
}

/** A failed read does not matter to an object that waits for a decision. */
function asWarning(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: "warning" };
}

function undecided(
  entry: Entry,
  { kind, seen, entry: recorded }: Pick<Situation, "kind" | "seen" | "entry">,
): Decision {
  return {
    address: entry.address,
    key: entry.key,
    action: "removed",
    reason: "manifest removed",
    exists: existenceOf(seen),
    unseen: null,
    span: null,
    renamedFrom: null,
    changes: [],
    before: null,
    after: null,
    identity: identityOf(kind, entry.key),
    owned: [],
    givenBack: [],
    fingerprint: proofOf(seen, entry),
    record: recordProofOf(recorded),
    protected: entry.protected,
    diagnostics: [],
  };
}
