import type { Entry } from "../state/snapshot.js";
import type { Decision } from "./decide.js";
import { existenceOf } from "./existence.js";
import { proofOf, recordProofOf } from "./proof.js";
import { identityOf, type Situation } from "./situation.js";

/** What every decision about a recorded object says where no manifest decides it: nothing is wanted, so nothing changes. */
export type WithoutManifest = Omit<Decision, "action" | "reason" | "span" | "owned" | "restore" | "lastFile">;

/** The object as it is recorded and seen, for a decision without a manifest. */
export function withoutManifest(
  entry: Entry,
  { kind, seen, entry: recorded }: Pick<Situation, "kind" | "seen" | "entry">,
): WithoutManifest {
  return {
    address: entry.address,
    key: entry.key,
    exists: existenceOf(seen),
    unseen: null,
    labels: {},
    renamedFrom: null,
    driftedFrom: null,
    replaces: null,
    meanings: entry.meanings ?? {},
    moved: [],
    createOnlySpans: {},
    changes: [],
    before: null,
    after: null,
    identity: identityOf(kind, entry.key),
    givenBack: [],
    changedAt: null,
    fingerprint: proofOf(seen, entry),
    record: recordProofOf(recorded),
    protected: entry.protected,
    diagnostics: [],
  };
}
