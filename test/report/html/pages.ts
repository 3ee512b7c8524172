import { gzipSync } from "node:zlib";
import { kindNamed } from "../../../src/kinds/index.js";
import type { BoundedRange } from "../../../src/plan/people/impact.js";
import type { Planned } from "../../../src/plan/plan.js";
import { writePlan } from "../../../src/plan/saved/effect.js";
import type { Step } from "../../../src/plan/step.js";
import { type FormOptions, render } from "../../../src/report/forms/table.js";
import { describePlan } from "../../../src/report/plan/describe.js";
import { plain } from "../../../src/report/text/paint.js";
import { BLOCKED, CREATED, DELETED, DRIFTED, EVERY_CHANGE, EVERY_GUARD, EVERY_REASON } from "../faces.js";
import { automation, changed, plan } from "../plans.js";

export const OPTIONS: FormOptions = {
  columns: 80,
  paint: plain,
  legend: false,
  part: "whole",
  verbose: false,
  maxBytes: null,
  linkBase: "https://forge.example/acme/infra/blob/main/",
  folder: "",
  packed: null,
  version: "0.0.0",
  exitCode: null,
};

/** The page of a plan, with the plan in it. */
export function pageFor(made: Planned): Promise<string> {
  const { text, effect } = writePlan(made);
  const packed = () => gzipSync(text, { level: 9 }).toString("base64");
  return render("html", "plan", describePlan(made, effect, kindNamed), { ...OPTIONS, packed });
}

/** A plan with every reason, every sort of change and every guard. */
export const EVERYTHING: Planned = plan([...EVERY_REASON, EVERY_CHANGE, CREATED, DELETED, DRIFTED, BLOCKED], {
  findings: EVERY_GUARD,
  impact: moved(),
});

/** People of whom some gain and some lose, so that the page has bars. */
function moved(): NonNullable<Planned["impact"]> {
  const none: BoundedRange = { low: 0, high: 0 };
  const some: BoundedRange = { low: 9, high: 9 };
  const may: BoundedRange = { low: 0, high: 12 };
  const values = [
    { value: "Sales", gains: some, loses: none },
    { value: null, gains: none, loses: may },
  ];
  return {
    users: { read: 40, areAll: true, where: null },
    ...{
      steps: [],
      follow: [],
      unknownAttributes: [],
      withoutPeople: [],
      uncounted: [],
      failed: [],
      calls: {},
    },
    together: { gains: some, loses: may, enters: none, leaves: none },
    spread: ["department", "employmentType"].map((attribute) => ({ attribute, values })),
  };
}

/** A plan of so many edited and drifted rules. */
export function planOf(count: number): Planned {
  return plan(Array.from({ length: count }, (_, place) => edited(place)));
}

function edited(place: number): Step {
  const rule = (what: string) =>
    `subject.department == "Department ${place}" && subject.employmentType == "${what}"`;
  return automation({
    address: { kind: "EntitlementAutomation", name: `team-${place}` },
    key: [`app-${place % 40}`, `entitlement-${place}`],
    managed: { labels: { team: `t${place % 30}` } },
    changes: [
      changed(
        { type: "text", path: ["cel", "expression"], before: rule("Any"), after: rule("Employee") },
        place % 3 === 0 ? "drifted" : "edited",
      ),
    ],
  });
}
