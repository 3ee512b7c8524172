import type { LabelSource } from "../../../plan/labels/source.js";
import { listing, type Statement, stated } from "../../statement.js";
import type { PlanReport } from "../report.js";

const AGAINST: Readonly<Record<LabelSource, string>> = {
  "reviewed branch": "the reviewed branch",
  state: "the state",
  "earlier manifest": "the commit of --since",
};

/** The labels that change: no call shows them, and guards ask for them. */
export function labelStatement({ labelChanges }: Pick<PlanReport, "labelChanges">): readonly Statement[] {
  const objects = labelChanges.map((change) => {
    const { address, place, labels } = change;
    const all = labels.map(
      ({ name, before, after }) => `${name}: ${before ?? "not set"} → ${after ?? "not set"}`,
    );
    const against = change.by.map((source) => AGAINST[source]).join(" and ");
    return stated(`${address}: ${all.join(", ")} (against ${against})`, { place });
  });
  return listing("plan/labels", {}, objects);
}
