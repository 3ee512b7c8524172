import { drift } from "../../diff/cause.js";
import type { Span } from "../../model/diagnostic.js";
import type { Entry } from "../../state/snapshot.js";
import { say } from "../../words/say.js";
import { recordedFrom } from "../record/driftedFrom.js";
import { changedAt } from "../step.js";
import { beyondCalls, troubleOf } from "./alerts.js";
import type { Decision } from "./decision.js";
import { asBefore, sayRewriting } from "./rewritten.js";
import type { Situation } from "./situation.js";
import { recordedDecision } from "./withoutManifest.js";

/**
 * The step of a recorded object in a plan of drift alone. It shows and records what changed in the tenant, from the
 * recorded value to the current one, and ignores manifests.
 */
export function decideRefresh(entry: Entry, situation: Situation, span: Span | null): Decision {
  const { seen, kind, rewriting } = situation;
  const recorded = recordedDecision(entry, situation);
  const managed = { ...recorded.managed, span, owned: Object.keys(entry.applied).sort() };
  const base: Decision = { ...recorded, managed };
  switch (seen.as) {
    case "absent": {
      const gone = span === null ? "plan/gone#record" : "plan/gone#manifest";
      const diagnostics = [say(gone, { address: base.address }, { span })];
      return { ...base, reason: "gone from tenant", diagnostics };
    }
    case "unread":
      return { ...base, action: "blocked", reason: "read failed", diagnostics: [seen.diagnostic] };
    case "recorded":
      return { ...base, reason: "current unknown" };
    case "present": {
      const now = rewriting === undefined ? seen.fields : asBefore(seen.fields, entry, rewriting);
      const changes = drift(entry, now, kind.shape);
      const notes = rewriting === undefined ? [] : [sayRewriting(rewriting, span)];
      const told = [...notes, ...troubleOf(base, seen), ...beyondCalls(base, seen, kind)];
      if (changes.length === 0) return { ...base, diagnostics: told };
      const drifted = changes.map((change) => ({
        change,
        cause: "drifted" as const,
        span: null,
        edit: null,
      }));
      return {
        ...base,
        action: "adopt",
        reason: "drift only",
        changes: drifted,
        before: now,
        after: now,
        recorded: { ...base.recorded, driftedFrom: recordedFrom(entry, now, kind.shape) },
        diagnostics: told,
        remarks: changedAt(seen.changedAt),
      };
    }
  }
}
