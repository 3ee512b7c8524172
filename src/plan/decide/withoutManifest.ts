import { divideKept, lastSeen, placeOf } from "../../diff/kept.js";
import type { Kind } from "../../kinds/kind.js";
import type { Resource } from "../../manifest/resource.js";
import { formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import { formatKey } from "../../model/key.js";
import { formatPath } from "../../model/path.js";
import type { Entry } from "../../state/snapshot.js";
import type { Desired } from "../../tenant/known.js";
import { say } from "../../words/say.js";
import type { Mode } from "../plan.js";
import { deletedFrom, isMadeAnew } from "../record/driftedFrom.js";
import { proofOf, recordProofOf } from "../record/proof.js";
import type { Removal } from "../removed/decision.js";
import { addressesOf, nameOf } from "../removed/which.js";
import type { Since } from "../since/since.js";
import { changedAt, type Reason, type Remark, restoring } from "../step.js";
import { blockedInstead, type Decision, keeping } from "./decision.js";
import { existenceOf } from "./existence.js";
import { identityOf, restorable, type Situation } from "./situation.js";
import { whyUnseen } from "./whyUnseen.js";

/** Of the objects that seem removed, those that no manifest stands for once every key is known, as the plan names them. */
export function entriesWithoutManifest(
  removed: readonly Entry[],
  { project, desired }: { readonly project: readonly Resource[]; readonly desired: readonly Desired[] },
  decisions: readonly Decision[],
): readonly Entry[] {
  if (removed.length === 0) return [];
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
export function withoutManifest(
  entry: Entry,
  situation: Situation,
  mode: Pick<Mode, "prune" | "cascade">,
  removal: Removal | null,
  why: Reason,
): Decision {
  const { seen, kind, on } = situation;
  const base = undecided(entry, situation, why);
  if (seen.as === "absent")
    return { ...base, action: "forget", reason: "gone from tenant", remarks: wasIn(entry) };
  if (removal?.decision === "forget")
    return { ...base, action: "forget", managed: { ...base.managed, span: removal.span } };
  if (removal === null && !mode.prune)
    return seen.as === "unread" ? { ...base, diagnostics: [asWarning(seen.diagnostic)] } : base;
  const span = removal?.span ?? null;
  const decided: Decision = { ...base, managed: { ...base.managed, span } };
  if (seen.as === "unread")
    return { ...decided, action: "blocked", reason: "read failed", diagnostics: [seen.diagnostic] };
  if (seen.as === "present" && seen.managedBy !== undefined) {
    const action = removal === null ? "removed" : "blocked";
    const diagnostics = [say("plan/managed-elsewhere", { by: seen.managedBy }, { span })];
    return { ...decided, action, reason: "managed elsewhere", diagnostics };
  }
  const whose = { noun: kind.noun.one, address: entry.address };
  if (!kind.verbs[on].includes("delete")) {
    const diagnostics = [say("plan/no-delete#kind", whose, { span })];
    return { ...decided, action: "blocked", reason: "cannot delete", diagnostics };
  }
  if (seen.as === "present" && (seen.isConnected === true || kind.isBuiltIn?.(seen) === true)) {
    const diagnostics = [say("plan/no-delete#object", whose, { span })];
    return { ...decided, action: "blocked", reason: "cannot delete", diagnostics };
  }
  const name = formatAddress(entry.address);
  const isCascading = kind.isPrunedByName === true && mode.cascade.includes(name);
  const isNamed = removal !== null || isCascading;
  if (kind.holdsOthers && !isNamed) {
    const how =
      kind.isPrunedByName === true
        ? `name it under \`prune.resourceTypes\` in remit.yaml, or once by \`--cascade ${name}\``
        : `add \`{ address: ${name}, then: delete }\` under \`removed:\` in remit.yaml`;
    return {
      ...decided,
      diagnostics: [say("plan/holds-others", { noun: kind.noun.one, how, name }, { span })],
    };
  }
  if (kind.isDeletedByEntry === true && !isNamed)
    return {
      ...decided,
      diagnostics: [say("plan/deleted-by-entry", { noun: kind.noun.one, name }, { span })],
    };
  const before = seen.as === "present" ? seen.fields : lastSeen(entry);
  const driftedFrom = seen.as === "present" ? deletedFrom(situation.entry, seen, kind.shape) : null;
  const deletion = {
    ...decided,
    action: "delete",
    reason: why,
    before,
    recorded: { ...decided.recorded, driftedFrom },
  } as const;
  const time = driftedFrom !== null && seen.as === "present" ? lastTimeOf(deletion, seen) : undefined;
  return {
    ...deletion,
    sight: { ...deletion.sight, unseen: whyUnseen(situation) },
    remarks: [...changedAt(time), ...wasIn(entry)],
  };
}

function wasIn({ file }: Entry): readonly Remark[] {
  return file === undefined ? [] : [{ about: "last file", file }];
}

/** When the tenant changed what is deleted: an object with the values of the last apply was made anew. */
function lastTimeOf(
  deletion: Decision,
  { createdAt, changedAt }: { readonly createdAt?: string; readonly changedAt?: string },
): string | undefined {
  return isMadeAnew(deletion) ? createdAt : changedAt;
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
    ...recordedDecision(entry, situation),
    action: "removed",
    reason,
    remarks: [
      ...restoring(restorable(entry, Object.keys(entry.original ?? {}), seen, kind)),
      ...wasIn(entry),
    ],
  };
}

/**
 * What is done about an object that only an earlier manifest shows to be removed. It is deleted only while it is as that
 * manifest described it, unless a decision names it by its key. Null for an object that nothing can be done about: it is
 * gone, or a decision leaves it, and no state records it.
 */
export function withoutManifestSince(
  entry: Entry,
  situation: Situation,
  mode: Pick<Mode, "prune" | "cascade">,
  removal: Removal | null,
  why: Reason,
  { ref }: Pick<Since, "ref">,
): Decision | null {
  const { seen, kind } = situation;
  if (seen.as === "absent" || removal?.decision === "forget") return null;
  const decision = withoutManifest(entry, situation, mode, removal, why);
  const isNamed = removal !== null && removal.key !== null;
  if (decision.action !== "delete" || isNamed) return decision;
  const { span } = decision.managed;
  if (seen.as !== "present") {
    const diagnostics = [say("plan/departed-unseen", { ref }, { span })];
    return blockedInstead(decision, "current unknown", diagnostics);
  }
  const fields = differencesIn(entry, seen.fields, kind);
  if (fields.length === 0) return decision;
  const key = decision.key?.join("/") ?? "";
  const diagnostics = [say("plan/departed-differs", { ref, fields, key }, { span })];
  return blockedInstead(decision, "changed since removal", diagnostics);
}

/** The fields that a manifest wrote and that the tenant has otherwise. Only spelling that a schema declares free is equal. */
function differencesIn({ applied }: Entry, now: JsonObject, { shape }: Kind): readonly string[] {
  const { differs } = divideKept(applied, now, Object.keys(applied), shape);
  return [...new Set(differs.map((change) => formatPath(placeOf(change))))];
}

/** The object as it is recorded and seen, for a decision without a manifest. */
export function recordedDecision(
  entry: Entry,
  { kind, seen, entry: recorded }: Pick<Situation, "kind" | "seen" | "entry">,
): Decision {
  return keeping({
    address: entry.address,
    key: entry.key,
    managed: {
      otherLabels:
        recorded === null && entry.labels !== undefined
          ? [{ by: "earlier manifest", labels: entry.labels }]
          : [],
      meanings: entry.meanings ?? {},
      identity: {
        ...(seen.as === "present" ? seen.madeWith : entry.createOnly),
        ...identityOf(kind, entry.key),
      },
      protected: entry.protected,
    },
    sight: { exists: existenceOf(seen), fingerprint: proofOf(seen, entry) },
    recorded: { record: recordProofOf(recorded) },
  });
}
