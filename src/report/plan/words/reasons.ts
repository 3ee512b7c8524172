import type { Kind } from "../../../kinds/kind.js";
import { missingParent } from "../../../plan/decide/existence.js";
import { isMadeAnew } from "../../../plan/record/driftedFrom.js";
import type { Edit, Replacement, Step } from "../../../plan/step.js";
import { firstOf } from "../../../words/more.js";
import { lastChange } from "../remarks.js";
import type { FieldReport } from "../report.js";

/** Who changed a field, in one word or two; empty if remit cannot tell. */
export const CAUSES: Readonly<Record<NonNullable<FieldReport["cause"]>, string>> = {
  edited: "edited",
  drifted: "drifted",
  both: "edited+drifted",
  accepted: "drift accepted",
  first: "",
  "not kept": "not kept by the service",
  unknown: "result unknown",
};

/** Who changed a field: by which commit of the change that the plan is about, or since the last apply. */
export function causeOf({ cause, edit }: Pick<FieldReport, "cause" | "edit">): string {
  if (edit === null) return cause === null ? "" : CAUSES[cause];
  const drifted = cause === "drifted" || cause === "both" ? "+drifted" : "";
  return `this change${edit.commit === null ? "" : ` ${edit.commit.slice(0, 8)}`}${drifted}`;
}

/** The reason of a step, as a phrase for a reader; empty if its fields say everything. */
export function explain(step: Step, kind: Kind | undefined): string {
  const { action, reason } = step;
  switch (reason) {
    case "not in tenant":
      return "not in the tenant yet";
    case "differs":
      return differs(step);
    case "in sync":
      return "unchanged";
    case "settling":
      return "the service does not show yet what was written";
    case "already as wanted":
      return "the tenant already has these values; remit only records them";
    case "drift accepted":
      return `${inTenant(step)}, and the manifest accepts it; remit only records it`;
    case "never applied":
      return "never applied by remit";
    case "managed again":
      return "the manifest means this object again; nothing changes in the tenant";
    case "names recorded":
      return "remit records what the names in the manifest mean; nothing changes in the tenant";
    case "reference moved":
      return "a name in the manifest means another object; nothing else changes in the tenant";
    case "renamed":
      return "nothing changes in the tenant";
    case "given back":
      return "the manifest no longer writes some fields; nothing changes in the tenant";
    case "protection changed":
      return "only the protection changes; nothing changes in the tenant";
    case "manifest removed":
      return manifestRemoved(step, "the manifest was removed");
    case "replaced":
      return manifestRemoved(step, "its manifest now means another object");
    case "gone from tenant":
      if (action === "keep") return "no longer in the tenant";
      return action === "forget"
        ? "no longer in the tenant; remit removes it from the state"
        : "no longer in the tenant; remit creates it again";
    case "managed elsewhere":
      return "another object of the service manages it, so remit leaves it unchanged";
    case "current unknown":
      return "its current value is unknown, and the call would replace all of it";
    case "may exist":
      return "remit cannot tell which object of the tenant it is";
    case "parent missing":
      return kind === undefined
        ? "what it belongs to is not in the tenant"
        : missingParent(step.managed.identity, kind);
    case "cannot create":
      return "not in the tenant, and remit cannot create it";
    case "create-only field edited":
      return "a field that only a create can set was edited";
    case "refused by the service":
      return "the service would refuse what the manifest says";
    case "cannot delete":
      return "the manifest was removed, and remit cannot delete the object";
    case "still needed":
      return "the manifest was removed, and something else still needs the object";
    case "changed since removal":
      return "the manifest was removed, and the object is no longer as the manifest described it";
    case "read failed":
      return "remit could not read it";
    case "reference not found":
      return "remit could not look up a name in it";
    case "outcome uncertain":
      return "the result of an earlier create is unknown, so remit does not send it again";
    case "need blocked":
      return "a step that it needs is blocked";
    case "drift only":
      return `changed in the tenant since the last apply${lastChange(step)}`;
    default:
      return reason satisfies never;
  }
}

/** Why a step gives its address to another object, with what the old one is in the tenant. */
export function explainReplacement({ by }: Replacement, old: string): string {
  const what = {
    create: "the new one is not in the tenant yet",
    update: "the new one has other values",
    set: "the new one has other values",
    adopt: "the new one has these values already",
  }[by];
  return `the manifest now means another object than ${old}; ${what}`;
}

/** Whether the object of a removed manifest stays active in the tenant. */
export function staysActive({ action, sight: { exists } }: Pick<Step, "action" | "sight">): boolean {
  return (action === "forget" || action === "removed") && exists !== "no";
}

function manifestRemoved(step: Step, why: string): string {
  switch (step.action) {
    case "delete": {
      // Only an entry under `removed:` has a line.
      const by = step.managed.span === null ? "pruning deletes it" : "`removed:` in remit.yaml deletes it";
      const how = isMadeAnew(step) ? "deleted and made anew" : "changed";
      const drift = `; ${how} in the tenant since the last apply${lastChange(step)}`;
      return `${why}, and ${by}${step.recorded.driftedFrom === null ? "" : drift}`;
    }
    case "removed":
      return `${why}; STAYS ACTIVE in the tenant until you decide`;
    default:
      return "no longer managed; STAYS ACTIVE in the tenant";
  }
}

/** That the tenant was changed, and when: who did it, the service does not say. */
function inTenant(step: Step): string {
  return `changed in the tenant${lastChange(step)}`;
}

function differs(step: Step): string {
  const { action, changes } = step;
  if (action === "create") return "changed since the last apply; the core interface can only create it again";
  const causes = new Set(changes.map(({ cause }) => cause));
  const isDrifted = causes.has("drifted") || causes.has("both");
  const edits = changes.flatMap(({ edit }) => edit ?? []);
  if (edits.length > 0)
    return `edited in this change${authorsOf(edits)}${isDrifted ? `, and ${inTenant(step)}` : ""}`;
  const isEdited = causes.has("edited") || causes.has("both");
  if (isEdited) return isDrifted ? `edited in the manifest and ${inTenant(step)}` : "edited in the manifest";
  if (isDrifted) return inTenant(step);
  if (causes.has("not kept")) return "the service keeps another value than remit sent";
  return causes.has("unknown") ? "the last write got no answer, so remit writes it again" : "";
}

const MOST_AUTHORS = 3;

/** The commits that edited something, with their authors. */
function authorsOf(edits: readonly Edit[]): string {
  const all = new Set(
    edits.flatMap(({ commit, author }) =>
      commit === null
        ? []
        : `${commit.slice(0, 12)}${author === null || author === "" ? "" : ` by ${author}`}`,
    ),
  );
  if (all.size === 0) return "";
  return ` (${firstOf([...all], MOST_AUTHORS)})`;
}
