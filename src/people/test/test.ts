import { ASSUMPTIONS } from "../../impact/assumption.js";
import type { Evaluate } from "../../impact/census.js";
import type { Person } from "../../impact/person.js";
import { readSources } from "../../manifest/files.js";
import { loadProject, type ProjectLoad } from "../../manifest/project.js";
import type { Place, Resource } from "../../manifest/resource.js";
import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import { type GuardDocument, readGuards } from "../../plan/guards/own/document.js";
import { say } from "../../words/say.js";
import { type ExpectedAnswer, readTests, type TestDocument } from "./document.js";
import { testGuard } from "./guards.js";
import { peopleIn } from "./people.js";
import { judge, rulesIn, type TestedRule, type Verdict } from "./rules.js";

/** What tests are run with. */
interface TestRequest {
  /** The project whose rules are tested. */
  readonly manifests: ProjectLoad;
  /** Files and folders with tests, and with guards. */
  readonly tests: readonly string[];
  readonly guards: readonly string[];
  readonly evaluate: Evaluate;
  /** The day that `now()` is in where a test names none. */
  readonly today: Date;
}

/** What became of tests. */
export interface TestReport {
  readonly tests: number;
  /** The guards that have tests. */
  readonly guards: number;
  readonly expectations: number;
  readonly failed: number;
  /** The expectations that hold, as notes: for formats that name every check. */
  readonly held: readonly Diagnostic[];
  readonly diagnostics: readonly Diagnostic[];
  /** What the answers rest on that the service does not document. */
  readonly assumed: readonly string[];
}

/** Runs tests on the rules of a project, offline. */
export async function runTests(request: TestRequest): Promise<TestReport> {
  const { manifests, tests: paths, evaluate, today } = request;
  const { cwd, apps = {} } = manifests;
  const project = await loadProject(manifests);
  const { value: sources, diagnostics: unread } = await readSources({ paths, cwd, sought: "test" });
  const { value: tests, diagnostics: misread } = readTests(sources);
  const { value: guardSources, diagnostics: unreadGuards } = await readSources({
    paths: request.guards,
    cwd,
    sought: request.guards.every((path) => paths.includes(path)) ? "test" : "guard",
  });
  const { value: guards, diagnostics: misreadGuards } = readGuards(guardSources);
  const ofProject = project.diagnostics.map(({ diagnostic }) => diagnostic);
  const known = eachOnce([...ofProject, ...unread, ...misread, ...unreadGuards, ...misreadGuards]);
  const tested = guards.filter((one) => one.tests.length > 0);
  const { resources } = project;
  const ready = readied(tests, resources, apps, today);
  const wrong = [...known, ...ready.diagnostics];
  if (hasErrors(wrong)) return { ...NOTHING, diagnostics: wrong };
  const ofGuards = tested
    .flatMap((one) => testGuard(one, { resources, apps, evaluate, today }))
    .map((diagnostics): Verdict => ({ diagnostics, assumptions: [] }));
  const checks = [
    ...tests.flatMap((test) => test.expectations.map((expectation) => checkOf(test, expectation))),
    ...tested.flatMap((one) => one.tests.map((written, at) => checkOfGuard(one, written, at))),
  ];
  const names = uniqueNames(checks);
  const verdicts = [...verdictsOn(ready.value, evaluate), ...ofGuards].map((verdict, at) => ({
    ...verdict,
    diagnostics: verdict.diagnostics.map((one) => ({ ...one, check: names[at] ?? "" })),
  }));
  const assumptions = new Set(verdicts.flatMap(({ assumptions }) => assumptions));
  return {
    tests: tests.length,
    guards: tested.length,
    expectations: verdicts.length,
    held: checks.flatMap(({ place }, at): readonly Diagnostic[] => {
      const check = names[at] ?? "";
      return verdicts[at]?.diagnostics.length === 0
        ? [say("expectation/holds", { check }, { check, ...place })]
        : [];
    }),
    failed: verdicts.filter(({ diagnostics }) => diagnostics.length > 0).length,
    diagnostics: [...known, ...verdicts.flatMap(({ diagnostics }) => diagnostics)],
    assumed: [...assumptions].map((one) => ASSUMPTIONS[one]),
  };
}

/** What a test expects, in words that do not say whether it is so, and where. */
interface ExpectedCheck {
  readonly name: string;
  readonly place: Place;
}

function checkOf(
  { name, place }: TestDocument,
  { path, person, rule, is, only }: ExpectedAnswer,
): ExpectedCheck {
  const isReview = path.includes("covers") || path.includes("leavesOut");
  const what = isReview
    ? `${rule} ${is ? "covers" : "leaves out"} ${person}`
    : only !== null
      ? `${person} holds only ${only.join(", ")}`
      : person === null
        ? `no one holds ${rule}`
        : `${person} ${is ? "holds" : "lacks"} ${rule}`;
  return { name: `${name}: ${what}`, place: place(path) };
}

function checkOfGuard({ guard, place }: GuardDocument, { name }: JsonObject, at: number): ExpectedCheck {
  return {
    name: `${guard.name}: ${typeof name === "string" ? name : `test ${at + 1}`}`,
    place: place(["spec", "tests", at]),
  };
}

/** The names of checks; one that stands in its file before has its number there. */
function uniqueNames(checks: readonly ExpectedCheck[]): readonly string[] {
  const seen = new Map<string, number>();
  return checks.map(({ name, place }) => {
    const key = JSON.stringify([place.span.file, name]);
    const number = (seen.get(key) ?? 0) + 1;
    seen.set(key, number);
    return number === 1 ? name : `${name} (${number})`;
  });
}

const NOTHING = { tests: 0, guards: 0, expectations: 0, failed: 0, held: [], assumed: [] };

/** A file that is read for tests and for guards has its mistakes once. */
function eachOnce(some: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(some.map((one) => [JSON.stringify(one), one])).values()];
}

/** A test in its world: its people, and the rules of the project as they apply to them. */
interface ReadyTest {
  readonly test: TestDocument;
  readonly people: ReadonlyMap<string, Person>;
  readonly rules: ReadonlyMap<string, TestedRule>;
}

/** Tests with the rules of a project; what a test says in two ways is a mistake of it. */
export function readied(
  tests: readonly TestDocument[],
  resources: readonly Resource[],
  apps: Readonly<Record<string, string>>,
  today: Date,
): Checked<readonly ReadyTest[]> {
  const each = tests.map((test) => {
    const people = peopleIn(test);
    const day = test.today === null ? today : new Date(`${test.today}T00:00:00Z`);
    const { rules, mistakes } = rulesIn(resources, { test, people, apps, today: day });
    const byAddress = new Map(rules.map((rule) => [rule.address, rule]));
    return { ready: { test, people, rules: byAddress }, mistakes };
  });
  return {
    value: each.map(({ ready }) => ready),
    diagnostics: each.flatMap(({ ready: { test }, mistakes }) =>
      mistakes.map(
        ({ problem, hint, path }): Diagnostic => ({
          ...say("expectation/mistake#person", { name: test.name, problem }),
          ...test.place(["spec", ...path]),
          hint,
        }),
      ),
    ),
  };
}

/** What becomes of each expectation of tests, in their order. */
export function verdictsOn(tests: readonly ReadyTest[], evaluate: Evaluate): readonly Verdict[] {
  return tests.flatMap(({ test, people, rules }) =>
    test.expectations.map((expectation) => judge(test, expectation, rules, people, evaluate)),
  );
}
