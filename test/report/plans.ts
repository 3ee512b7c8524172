import { kindNamed } from "../../src/kinds/index.js";
import { DEFAULT_LIMITS } from "../../src/plan/guards/settings.js";
import type { Planned } from "../../src/plan/plan.js";
import type { FieldChange, Step } from "../../src/plan/step.js";
import { describePlan } from "../../src/report/plan/describe.js";
import type { PlanReport } from "../../src/report/plan/report.js";
import { type StepPart, withPart } from "../plan/stepPart.js";

export const HASH = `sha256:${"ab".repeat(32)}`;
export const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5C";
export const ENTITLEMENT = "2fsgTvxP0DVTsNXEUBI7hOe0l5D";
export const TEMPLATE = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";

export function span(line: number, file = "reviews/q4.yaml"): NonNullable<Step["managed"]["span"]> {
  return { file, start: { line, column: 3 }, end: { line, column: 9 } };
}

export function changed(
  change: FieldChange["change"],
  cause: FieldChange["cause"] = "edited",
  line = 14,
): FieldChange {
  return { change, cause, span: span(line), edit: null };
}

const STEP: Step = {
  address: { kind: "EntitlementAutomation", name: "engineering-group" },
  key: [APP, ENTITLEMENT],
  action: "update",
  reason: "differs",
  sight: { exists: "yes", unseen: null, fingerprint: null },
  recorded: { renamedFrom: null, driftedFrom: null, moved: [], givenBack: [], record: null },
  replaces: null,
  managed: {
    meanings: {},
    createOnlySpans: {},
    labels: {},
    otherLabels: [],
    span: span(3),
    identity: { appId: APP, appEntitlementId: ENTITLEMENT },
    owned: [],
    protected: false,
  },
  changes: [],
  before: null,
  after: null,
  calls: [],
  needs: [],
  follows: [],
  diagnostics: [],
  remarks: [],
};

/** A step on an entitlement's automation. */
export function automation(more: StepPart = {}): Step {
  return withPart(STEP, more);
}

/** A step on a template's scope. */
export function scope(more: StepPart = {}): Step {
  const scoped: StepPart = {
    address: { kind: "TemplateScope", name: "q4-privileged-access" },
    key: [TEMPLATE],
    managed: { identity: { templateId: TEMPLATE } },
    action: "set",
  };
  return withPart(withPart(STEP, scoped), more);
}

/** A step on a resource type. */
export function resourceType(more: StepPart = {}): Step {
  const typed: StepPart = {
    address: { kind: "ResourceType", name: "github-team" },
    key: [APP, "2fsgTvxP0DVTsNXEUBI7hOe0l5E"],
    managed: { identity: { appId: APP, id: "2fsgTvxP0DVTsNXEUBI7hOe0l5E" } },
  };
  return withPart(withPart(STEP, typed), more);
}

export function plan(steps: readonly Step[], more: Partial<Planned> = {}): Planned {
  return {
    server: "https://tenant.example",
    interface: { asked: "auto", kinds: {} },
    mode: { offline: false, refreshOnly: false, prune: false, cascade: [], targets: [], selector: null },
    settings: { from: null, differences: [], loosened: [] },
    commit: null,
    since: null,
    state: null,
    steps,
    limits: DEFAULT_LIMITS,
    findings: [],
    unseen: [],
    rewritten: [],
    notCompared: [],
    names: { [`app:${APP}`]: "GitHub", [`entitlement:${APP}/${ENTITLEMENT}`]: "github-admin" },
    calls: { made: {}, ahead: {} },
    impact: null,
    estimate: { seconds: 0, width: 10 },
    files: {},
    ...more,
  };
}

export function report(steps: readonly Step[], more: Partial<Planned> = {}): PlanReport {
  return describePlan(plan(steps, more), HASH, kindNamed);
}
