import type { Action } from "../../../plan/step.js";
import type { RemarkReport, ShownAction, StepReport } from "../report.js";

/** The action as a reader sees it. */
export function shownAs<T extends Action>(action: T): Exclude<T, "set"> | "update" {
  return action === "set" ? "update" : (action as Exclude<T, "set">);
}

/** The word that a step begins with. */
export type Label =
  | Exclude<ShownAction, "keep">
  | "unchanged"
  | "differs"
  | "gone"
  | "settling"
  | "rename"
  | "accept"
  | "record";

/**
 * An object that another one manages stays unchanged although its manifest may differ. Adopting an object that remit already
 * manages changes only the state: its address, or what was recorded.
 */
export function labelOf(step: StepReport): Label {
  const { action, renamedFrom, givenBack, fields } = step;
  if (action === "keep") return keptAs(step);
  if (action !== "adopt") return action;
  if (fields.some(({ cause }) => cause === "accepted")) return "accept";
  if (renamedFrom !== null) return "rename";
  return givenBack.length + fields.length > 0 ? "record" : "adopt";
}

const SETTLING = ["plan/settling", "plan/defaults-rewriting"];

function keptAs({ fields, isDrift, diagnostics }: StepReport): Label {
  if (fields.length > 0) return "differs";
  if (isDrift) return "gone";
  return diagnostics.some(({ code }) => SETTLING.includes(code)) ? "settling" : "unchanged";
}

/** The remarks of a step that stand with its place, or below its changed fields. */
export function remarksAt(where: RemarkReport["where"], { remarks }: StepReport): readonly RemarkReport[] {
  return remarks.filter((one) => one.where === where);
}

/** The sentence of a remark without marks. */
export function plainRemark({ text, names }: RemarkReport): string {
  return [text.replaceAll("`", ""), ...(names.length === 0 ? [] : [names.join(", ")])].join(" ");
}

/** What a step is about: its address, and after a rename the one before it. */
export function nameOf({ address, renamedFrom }: StepReport): string {
  return renamedFrom === null ? address : `${renamedFrom} → ${address}`;
}
