import { drift } from "../diff/cause.js";
import type { Span } from "../model/diagnostic.js";
import type { Entry } from "../state/snapshot.js";
import type { Decision } from "./decide.js";
import { diagnose } from "./diagnose.js";
import { existenceOf } from "./existence.js";
import { proofOf, recordProofOf } from "./proof.js";
import { identityOf, type Situation } from "./situation.js";
import { troubleOf } from "./trouble.js";

/**
 * The step of a recorded object in a plan of drift alone. It shows and records what changed in the tenant, from the
 * recorded value to the current one, and ignores manifests.
 */
export function decideRefresh(entry: Entry, situation: Situation, span: Span | null): Decision {
  const { seen, kind, entry: recorded } = situation;
  const base: Decision = {
    address: entry.address,
    key: entry.key,
    action: "keep",
    reason: "in sync",
    exists: existenceOf(seen),
    unseen: null,
    span,
    labels: {},
    renamedFrom: null,
    replaces: null,
    meanings: entry.meanings ?? {},
    moved: [],
    createOnlySpans: {},
    changes: [],
    before: null,
    after: null,
    identity: identityOf(kind, entry.key),
    owned: Object.keys(entry.applied).sort(),
    givenBack: [],
    restore: {},
    lastFile: null,
    changedAt: null,
    fingerprint: proofOf(seen, entry),
    record: recordProofOf(recorded),
    protected: entry.protected,
    diagnostics: [],
  };
  switch (seen.as) {
    case "absent":
      return { ...base, reason: "gone from tenant", diagnostics: [diagnose.gone(base)] };
    case "unread":
      return { ...base, action: "blocked", reason: "read failed", diagnostics: [seen.diagnostic] };
    case "recorded":
      return { ...base, reason: "current unknown" };
    case "present": {
      const changes = drift(entry, seen.fields, kind.shape);
      const told = troubleOf(base, seen);
      if (changes.length === 0) return { ...base, diagnostics: told };
      const drifted = changes.map((change) => ({
        change,
        cause: "drifted" as const,
        span: null,
        edit: null,
      }));
      const now = seen.fields;
      return {
        ...base,
        action: "adopt",
        reason: "drift only",
        changes: drifted,
        before: now,
        after: now,
        changedAt: seen.changedAt ?? null,
        diagnostics: told,
      };
    }
  }
}
