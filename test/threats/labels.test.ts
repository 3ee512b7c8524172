import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writePlan } from "../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import { FORM_NAMES } from "../../src/report/forms/table.js";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { cases } from "../fakes/cases.js";
import { type FakeCheckout, makeCheckout } from "../fakes/checkout.js";
import { runInside } from "../fakes/inside.js";
import { withPart } from "../plan/stepPart.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const id = (number: number) => `entitlement000000000000000${number}`;
const SIGNS = 'subject.department == "Platform"';

/** One rule of the project, and the file that it stands in. */
interface Rule {
  readonly name: string;
  readonly environment: string | null;
  readonly entitlement: string;
  readonly displayName: string;
}

/** A project: rules with a manifest each, rules that are rows of one shape, and what remit.yaml says besides. */
interface Files {
  readonly rules: Readonly<Record<string, Rule>>;
  readonly rows: readonly Rule[];
  readonly stage: string;
  readonly more: string;
}

const rule = (name: string, number: number, environment: string | null): Rule => {
  return { name, environment, entitlement: id(number), displayName: `Rule ${number}` };
};
const BASE: Files = {
  rules: {
    "manifests/a.yaml": rule("prod", 1, "production"),
    "manifests/b.yaml": rule("dev", 2, null),
    // Its label is a named value.
    "manifests/c.yaml": rule("stage", 3, "$stage"),
  },
  rows: [rule("x", 4, "production"), rule("y", 5, "test")],
  stage: "production",
  more: "",
};

const GUARDS = [
  [
    "scope",
    "{ labels: { environment: production }, actions: [create, update, replace, delete, accept, adopt] }",
    "true",
  ],
  [
    "expression",
    "{ actions: [create, update, replace, delete, accept, adopt] }",
    '"environment" in step.labels && step.labels.environment == "production"',
  ],
  ["plan", "plan", 'plan.steps.exists(s, "environment" in s.labels && s.labels.environment == "production")'],
].map(([name, on, trips]) => ({
  name,
  text: `apiVersion: remit/v1\nkind: Guard\nmetadata: { name: ${name} }\nspec:\n  on: ${on}\n  trips: '${trips}'\n  message: It says ${name}.\n`,
}));

const manifest = ({ name, environment, entitlement, displayName }: Rule) => {
  const value = environment === "$stage" ? "{ $value: stage }" : environment;
  const labels = environment === null ? "" : `, labels: { environment: ${value} }`;
  return `apiVersion: remit/v1\nkind: EntitlementAutomation\nmetadata: { name: ${name}${labels} }\nspec: { appId: ${APP}, appEntitlementId: ${entitlement}, displayName: ${displayName}, cel: { expression: '${SIGNS}' } }\n`;
};

const SHAPE = `apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: row, labels: { environment: { $value: g.environment } } }
forEach: { in: rows, as: g }
spec:
  appId: ${APP}
  appEntitlementId: { $value: g.entitlement }
  displayName: { $value: g.displayName }
  cel: { expression: '${SIGNS}' }
`;

function write(checkout: FakeCheckout, { rules, rows, stage, more }: Files): void {
  for (const file of ["a", "b", "c", "d"].map((name) => `manifests/${name}.yaml`))
    rmSync(join(checkout.root, file), { force: true });
  for (const [file, one] of Object.entries(rules)) checkout.write(file, manifest(one));
  const listed = rows.map(({ name, ...row }) => `    - ${JSON.stringify({ id: name, ...row })}\n`).join("");
  checkout.write(
    "values/rows.yaml",
    `apiVersion: remit/v1\nkind: Values\nspec:\n  stage: ${stage}\n  rows:\n${listed}`,
  );
  checkout.write("manifests/rows.yaml", SHAPE);
  checkout.write("guards/rules.yaml", GUARDS.map(({ text }) => text).join("---\n"));
  checkout.write(
    "remit.yaml",
    `manifests: [manifests]\nvalues: [values/rows.yaml]\nguards: { own: [guards] }\n${more}`,
  );
}

type Edit = (rule: Rule) => Rule;

/** The rule of a file, edited and in another file or the same one. */
const inFile =
  (from: string, edit: Edit, to = from) =>
  (files: Files): Files => {
    const { [from]: old, ...rules } = files.rules;
    return old === undefined ? files : { ...files, rules: { ...rules, [to]: edit(old) } };
  };
const A = "manifests/a.yaml";
const bare: Edit = (one) => ({ ...one, environment: null });

/** A way to lose the label of a rule: its entitlement, its name before and after, and the files with another edit of it. */
interface Way {
  readonly number: number;
  readonly before: string;
  readonly after: string;
  readonly lose: (files: Files, edit: Edit) => Files;
}

const WAYS: Readonly<Record<string, Way>> = {
  "takes the label away": {
    ...{ number: 1, before: "prod", after: "prod" },
    lose: (files, edit) => inFile(A, (one) => edit(bare(one)))(files),
  },
  "writes another value": {
    ...{ number: 1, before: "prod", after: "prod" },
    lose: (files, edit) => inFile(A, (one) => edit({ ...one, environment: "test" }))(files),
  },
  "renames the manifest": {
    ...{ number: 1, before: "prod", after: "other" },
    lose: (files, edit) => inFile(A, (one) => edit({ ...bare(one), name: "other" }))(files),
  },
  "renames it with moved:": {
    ...{ number: 1, before: "prod", after: "other" },
    lose: (files, edit) => ({
      ...inFile(A, (one) => edit({ ...bare(one), name: "other" }))(files),
      more: "moved: [{ from: EntitlementAutomation/prod, to: EntitlementAutomation/other }]\n",
    }),
  },
  "moves it to another file": {
    ...{ number: 1, before: "prod", after: "prod" },
    lose: (files, edit) => inFile(A, (one) => edit(bare(one)), "manifests/d.yaml")(files),
  },
  "exchanges the names of two manifests": {
    ...{ number: 1, before: "prod", after: "dev" },
    lose: (files, edit) => {
      const taken = inFile(A, (one) => edit({ ...bare(one), name: "dev" }))(files);
      return inFile("manifests/b.yaml", (one) => ({ ...one, name: "prod" }))(taken);
    },
  },
  "makes it a row": {
    ...{ number: 1, before: "prod", after: "row[z]" },
    lose: (files, edit) => {
      const { [A]: old, ...rules } = files.rules;
      if (old === undefined) return files;
      return { ...files, rules, rows: [...files.rows, edit({ ...old, name: "z", environment: "test" })] };
    },
  },
  "writes another value in a row": {
    ...{ number: 4, before: "row[x]", after: "row[x]" },
    lose: (files, edit) => ({
      ...files,
      rows: files.rows.map((one) => (one.name === "x" ? edit({ ...one, environment: "test" }) : one)),
    }),
  },
  "makes another manifest of a row": {
    ...{ number: 4, before: "row[x]", after: "free" },
    lose: (files, edit) => ({
      ...files,
      rows: files.rows.filter(({ name }) => name !== "x"),
      rules: { ...files.rules, "manifests/d.yaml": edit(rule("free", 4, null)) },
    }),
  },
  "changes a named value": {
    ...{ number: 3, before: "stage", after: "stage" },
    lose: (files, edit) => ({ ...inFile("manifests/c.yaml", edit)(files), stage: "test" }),
  },
};

/** What is done to the object of a rule that loses its label. */
const ACTS = ["create", "update", "replace", "delete", "accept", "adopt"] as const;

/** A change, and what can tell which labels there were: the state, or the commit that the settings come from. */
interface Case {
  readonly way: string;
  readonly act: (typeof ACTS)[number];
  readonly hasState: boolean;
  readonly isReviewed: boolean;
}

/** Whether there can be such a change: a state is what tells an accepted change, and in sync is what it knows. */
function isPossible({ way, act, hasState, isReviewed }: Case): boolean {
  if (!hasState && !isReviewed) return false;
  const { before, after } = WAYS[way] as Way;
  if (act === "accept") return hasState;
  if (act === "adopt") return !hasState;
  // A rule that is removed has no label to lose.
  if (act === "delete") return way === "takes the label away" || way === "writes another value in a row";
  return act !== "replace" || before === after;
}

const CASES: readonly Case[] = Object.keys(WAYS).flatMap((way) =>
  ACTS.flatMap((act) =>
    [true, false].flatMap((hasState) =>
      [true, false].map((isReviewed): Case => ({ way, act, hasState, isReviewed })).filter(isPossible),
    ),
  ),
);

const edited: Edit = (one) => ({ ...one, displayName: "Changed" });
const asItIs: Edit = (one) => one;
const EDITS: Readonly<Record<Case["act"], Edit>> = {
  create: edited,
  update: edited,
  replace: (one) => ({ ...one, entitlement: id(9) }),
  delete: asItIs,
  accept: edited,
  adopt: asItIs,
};

/** The project without a rule, whose object remit must delete; with its key where nothing else tells the object. */
function without(files: Files, { number, before }: Way, isKeyed: boolean): Files {
  const isOther = ({ entitlement }: Rule) => entitlement !== id(number);
  return {
    ...files,
    rules: Object.fromEntries(Object.entries(files.rules).filter(([, one]) => isOther(one))),
    rows: files.rows.filter(isOther),
    more: `removed: [{ address: "EntitlementAutomation/${before}"${isKeyed ? `, key: ${APP}/${id(number)}` : ""}, then: delete }]\n`,
  };
}

interface Finding {
  readonly guard: string;
  readonly address: string | null;
  readonly message: string;
}

/** A checkout of the base, and a tenant of its own. */
async function begin() {
  const sandbox = await startSandbox({ interface: "full" });
  const checkout = makeCheckout({ ".gitignore": ".remit/\n*.json\n" });
  const remit = (...argv: readonly string[]) =>
    runInside(argv, {
      cwd: checkout.root,
      env: { ...checkout.env, REMIT_TOKEN: sandbox.token, REMIT_SERVER: sandbox.url },
    });
  write(checkout, BASE);
  checkout.commit();
  const answers = GUARDS.map(({ name }) => `--acknowledge=own/${name}`);
  return {
    checkout,
    sandbox,
    remit,
    applyBase: async () => {
      const applied = await remit("apply", "--yes", ...answers);
      expect([applied.code, applied.stderr]).toEqual([0, ""]);
    },
    change: (files: Files) => {
      write(checkout, files);
      checkout.commit();
    },
    async plan(...argv: readonly string[]) {
      const { code, stdout, stderr } = await remit("plan", ...argv, "--format", "json");
      expect([code, stderr]).toEqual([code === 4 ? 4 : 0, ""]);
      const { findings, labelChanges, effect, steps } = JSON.parse(stdout);
      return { code, findings: findings as readonly Finding[], labelChanges, effect, steps };
    },
  };
}

/** Makes the change in the commit after the base, and plans it. */
async function planOf({ way, act, hasState, isReviewed }: Case) {
  const how = WAYS[way] as Way;
  const { checkout, sandbox, applyBase, change, plan } = await begin();
  try {
    const { automations } = sandbox.store;
    if (act !== "create" || hasState) await applyBase();
    const known = automations.get(APP, id(how.number));
    if (act === "create" && known !== undefined)
      automations.put(APP, id(how.number), { ...known, deletedAt: new Date(0).toISOString() });
    if (act === "accept" && known !== undefined)
      automations.put(APP, id(how.number), { ...known, displayName: "Changed" });
    if (!hasState) rmSync(join(checkout.root, ".remit"), { recursive: true, force: true });
    const isBare = act === "delete" && !hasState;
    const isKeyed = isBare && how.number === 4;
    change(act === "delete" ? without(BASE, how, isKeyed) : how.lose(BASE, EDITS[act]));
    const since = isBare && !isKeyed ? ["--since", "HEAD^"] : [];
    return await plan(...(isReviewed ? ["--settings-from", "HEAD^"] : []), ...since);
  } finally {
    await sandbox.close();
  }
}

describe("a guard on labels, and a change that takes the label away", () => {
  it("trips whatever way the label is lost, and says which labels it means", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...CASES), async (one) => {
        const { after, before } = WAYS[one.way] as Way;
        const { code, findings } = await planOf(one);
        const about = `EntitlementAutomation/${one.act === "delete" ? before : after}`;
        const own = findings.filter(({ guard }) => guard.startsWith("own/"));
        const found = own.filter(({ address }) => (address ?? about) === about).map(({ guard }) => guard);
        const all = ["own/expression", "own/plan", "own/scope"];
        expect([one, code, found.sort()]).toEqual([one, 4, all]);
        const source = one.isReviewed ? "on the reviewed branch" : "in the state";
        for (const { guard, message } of own.filter(({ address }) => address === about)) {
          const value = guard === "own/scope" ? ": environment=production" : "";
          const isSaid = message.includes(`(by the labels ${source}${value})`);
          expect([one, guard, message, isSaid]).toEqual([one, guard, message, true]);
        }
      }),
      { numRuns: cases(12) },
    );
  });

  it("trips for a delete where nothing tells the labels", async () => {
    const none = {
      way: "writes another value in a row",
      act: "delete",
      hasState: false,
      isReviewed: false,
    } as const;
    const { findings } = await planOf(none);
    const about = findings.filter(({ address }) => address === "EntitlementAutomation/row[x]");
    expect(about.map(({ guard, message }) => [guard, message])).toEqual([
      ["own/expression", expect.stringContaining("the object has no manifest")],
      ["own/scope", "It says scope."],
    ]);
  });

  it("trips where the manifest on the reviewed branch cannot be read, and where its names mean nothing", async () => {
    for (const spoil of [
      (text: string) => text.replace("metadata: {", "metadata: { {"),
      (text: string) => text.replace(/appId: \w+/, "appId: { name: No such app }"),
    ]) {
      const { checkout, sandbox, change, plan } = await begin();
      checkout.write(A, spoil(manifest(rule("prod", 1, "production"))));
      checkout.commit();
      change(inFile(A, (one) => edited({ ...bare(one), name: "other" }))(BASE));
      const { findings } = await plan("--settings-from", "HEAD^");
      await sandbox.close();
      const about = findings.filter(({ address }) => address === "EntitlementAutomation/other");
      expect(about.map(({ guard, message }) => [guard, message])).toEqual([
        ["own/expression", expect.stringContaining("on the reviewed branch is not known")],
        ["own/scope", "It says scope. (the labels on the reviewed branch are not known)"],
      ]);
    }
  });

  it("trips by the manifest's own labels without a word about others, and not for a rule that never had one", async () => {
    const { sandbox, applyBase, change, plan } = await begin();
    await applyBase();
    change(inFile(A, edited)(inFile("manifests/b.yaml", edited)(BASE)));
    const { findings, labelChanges } = await plan("--settings-from", "HEAD^");
    await sandbox.close();
    expect(labelChanges).toEqual([]);
    const own = findings.map(({ guard, address, message }) => [guard, address, message]);
    expect(own).toEqual([
      ["own/expression", "EntitlementAutomation/prod", "It says expression."],
      ["own/plan", null, "It says plan."],
      ["own/scope", "EntitlementAutomation/prod", "It says scope."],
    ]);
  });

  it("trips at the apply of a saved plan that no longer says which labels there were", async () => {
    const { checkout, sandbox, remit, applyBase, change } = await begin();
    await applyBase();
    change(inFile(A, (one) => edited(bare(one)))(BASE));
    await remit("plan", "--out", "plan.json");
    const honest = readSavedPlan(readFileSync(join(checkout.root, "plan.json"), "utf8")).value?.plan;
    if (honest === undefined) throw new Error("the plan is not read");
    const steps = honest.steps.map((step) => withPart(step, { managed: { otherLabels: [] } }));
    const findings = honest.findings.filter(({ own }) => own === undefined);
    checkout.write("plan.json", writePlan({ ...honest, steps, findings }).text);
    const { code, stderr } = await remit("apply", "--yes", "plan.json");
    await sandbox.close();
    expect([code, stderr.match(/error\[own\/\w+\]/g)]).toEqual([
      4,
      ["error[own/expression]", "error[own/plan]", "error[own/scope]"],
    ]);
  });
});

describe("a change of labels alone", () => {
  it("makes no step and no other effect, is shown by every form, and is recorded by an apply", async () => {
    const { sandbox, remit, applyBase, change, plan } = await begin();
    await applyBase();
    const { effect } = await plan();
    change(inFile(A, bare)(BASE));
    const planned = await plan("--settings-from", "HEAD^");
    const labelChanges = [
      {
        address: "EntitlementAutomation/prod",
        place: { file: A, line: 1 },
        by: ["reviewed branch", "state"],
        labels: [{ name: "environment", before: "production", after: null }],
      },
    ];
    expect(planned).toEqual({ code: 0, findings: [], steps: [], effect, labelChanges });
    // GitLab's report has three numbers, and a summary has codes.
    for (const form of FORM_NAMES.filter((name) => name !== "terraform" && name !== "summary")) {
      const { stdout } = await remit("plan", "--settings-from", "HEAD^", "--format", form);
      const text = stdout.replaceAll(/\\|\s+/g, " ").replaceAll("&gt;", ">");
      expect([form, /environment.*production.*not set/.test(text)]).toEqual([form, true]);
    }
    expect((await remit("apply", "--yes", "--settings-from", "HEAD")).code).toBe(0);
    expect((await plan()).labelChanges).toEqual([]);
    // What is without the label now, and was when it was applied, is not asked about.
    change(inFile(A, (one) => edited(bare(one)))(BASE));
    expect((await plan("--settings-from", "HEAD^")).findings).toEqual([]);
    await sandbox.close();
  });

  it("leaves the effect of a change as it is", async () => {
    const { sandbox, applyBase, change, plan } = await begin();
    await applyBase();
    change(inFile(A, edited)(BASE));
    const { effect } = await plan();
    change(inFile(A, (one) => edited(bare(one)))(BASE));
    expect((await plan()).effect).toBe(effect);
    await sandbox.close();
  });
});
