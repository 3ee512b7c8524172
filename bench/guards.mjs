// The CPU time of guards of a team over a large plan. node bench/guards.mjs [--quick]
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadModule } from "../scripts/bundleModule.mjs";
import { median, row } from "./figure.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const GUARDS = 100;
const STEPS = 1_000;
const PEOPLE = 10_000;

/** Five fields of a step, none of which trips. */
const FIELDS =
  'step.after.displayName == "" || step.after.cel.expression == "true" || step.labels.team == "none" || step.name == "other" || step.action == "delete"';

/** Five fields of each person who may gain access. */
const GAIN =
  'people.gain.exists(p, p.department == "none" || p.jobTitle == "none" || p.employmentType == "none" || p.status == UserStatus.DELETED || p.username == "none")';

/** Measures and gives one row per figure. */
export async function figures({ quick = false } = {}) {
  const folder = mkdtempSync(join(root, "node_modules", ".bench-"));
  try {
    /** @type {typeof import("./sources/guards.js")} */
    const guards = await loadModule("bench/sources/guards.ts", folder);
    const rounds = quick ? 1 : 5;
    return [
      figure(guards, { trips: FIELDS, steps: STEPS, people: 0, bound: 1_000, rounds }),
      figure(guards, { trips: GAIN, steps: STEPS, people: PEOPLE, bound: 5_000, rounds: quick ? 1 : 3 }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function figure(guards, { trips, steps: count, people, bound, rounds }) {
  const { ownFindings, readGuards, withOwnGuards, NO_SETTINGS, DEFAULT_LIMITS, peopleOf } = guards;
  const text = Array.from({ length: GUARDS }, (_, at) => documentOf(at, trips)).join("---\n");
  const { value, diagnostics } = readGuards([{ file: "guards.yaml", text, named: true }]);
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  const evaluate = guards.evaluateInTime();
  const tree = value.map(({ guard }) => guard);
  const rules = {
    limits: DEFAULT_LIMITS,
    acknowledgements: [],
    today: "2026-01-01",
    settings: withOwnGuards(NO_SETTINGS, { reviewed: null, tree }, { context: "", evaluate }),
  };
  const plan = {
    steps: Array.from({ length: count }, (_, at) => stepOf(at)),
    interface: { asked: "auto", kinds: { EntitlementAutomation: { source: "live", interface: "full" } } },
    impact: null,
  };
  const everyone = peopleOf(Array.from({ length: 2 * people }, (_, at) => userOf(at)));
  const none = { people: [] };
  const moves = new Map(
    plan.steps.map(({ address }, at) => {
      // Each step has a list of its own.
      const gain = { people: everyone.slice(at % (people + 1), (at % (people + 1)) + people) };
      const moved = { gain, lose: none, enter: none, leave: none, keep: { count: 0 } };
      return [`${address.kind}/${address.name}`, moved];
    }),
  );
  const facts = { moves, holds: () => ({ unknown: "not asked" }) };
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    const { findings } = ownFindings(plan, facts, rules);
    const { user, system } = process.cpuUsage(before);
    if (findings.length > 0) throw new Error(`none trips: ${findings[0].message}`);
    return (user + system) / 1_000;
  });
  const time = median(times);
  const of = people === 0 ? "5 fields each" : `lists of ${people.toLocaleString("en")} people`;
  const name = `${GUARDS} guards of a team over ${count.toLocaleString("en")} steps, ${of}`;
  return row(name, Math.round(time), "ms of CPU", `at most ${bound} ms`, time / bound, time <= bound);
}

/** A user whose name no one else has. */
function userOf(at) {
  return {
    ...{ id: `user${at}`, username: `user${at}`, status: "ENABLED", employmentType: "Employee" },
    ...{ department: `Department ${at % 40}`, jobTitle: `Title ${at % 90}` },
  };
}

function documentOf(at, trips) {
  return `apiVersion: remit/v1
kind: Guard
metadata: { name: guard-${at} }
spec: { on: { kinds: [EntitlementAutomation] }, trips: ${JSON.stringify(trips)}, message: Ask us. }
`;
}

/** A step that writes another expression. */
function stepOf(at) {
  const spec = (expression) => ({
    displayName: `Rule ${at}`,
    cel: { expression },
    appId: "app",
    appEntitlementId: `entitlement${at}`,
  });
  return {
    address: { kind: "EntitlementAutomation", name: `rule-${at}` },
    ...{ key: ["app", `entitlement${at}`], action: "update", reason: "differs", replaces: null },
    sight: { exists: "yes", unseen: null, fingerprint: null },
    recorded: { renamedFrom: null, driftedFrom: null, moved: [], givenBack: [], record: null },
    managed: {
      ...{ span: { file: "a.yaml" }, labels: { team: "a" }, otherLabels: [], createOnlySpans: {} },
      ...{ identity: {}, owned: [], meanings: {}, protected: false },
    },
    before: spec('subject.department == "Old"'),
    after: spec('subject.department == "New"'),
    ...{ remarks: [], calls: [], needs: [], follows: [], diagnostics: [] },
    changes: [
      {
        change: { type: "update", path: ["cel", "expression"], before: "a", after: "b" },
        cause: "edited",
        span: null,
        edit: null,
      },
    ],
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.table(await figures({ quick: process.argv.includes("--quick") }));
