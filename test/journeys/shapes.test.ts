import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { makeCheckout } from "../fakes/checkout.js";
import { runInside } from "../fakes/inside.js";
import { BOT, PULL, REPOSITORY, startStandIn } from "../forge/standIn.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const VALUES = "values/common.yaml";
const SHAPE = "manifests/groups.yaml";
const GROUPS = [1, 2, 3].map((number) => ({ id: `g${number}`, department: `D${number}`, number }));

const values = (groups: readonly object[]) =>
  `apiVersion: remit/v1\nkind: Values\nspec:\n  groups:\n${groups.map((row) => `    - ${JSON.stringify(row)}\n`).join("")}`;

const shape = `apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: group }
forEach: { in: groups, as: g }
spec:
  appId: ${APP}
  appEntitlementId: { $value: g.entitlement }
  displayName: { $text: "Group {g.id}" }
  cel: { expression: subject.department == department, with: { department: { $value: g.department } } }
`;

const rows = (count = 3) =>
  GROUPS.slice(0, count).map(({ id, department, number }) => ({
    id,
    department,
    entitlement: `entitlement000000000000000${number}`,
  }));

/** A checkout with three applied rows of a shape. */
async function begin() {
  const sandbox = await startSandbox({ interface: "full" });
  onTestFinished(() => sandbox.close());
  const checkout = makeCheckout({
    "remit.yaml": `manifests: [manifests]\nvalues: [${VALUES}]\n`,
    ".gitignore": ".remit/\n",
    [VALUES]: values(rows()),
    [SHAPE]: shape,
  });
  checkout.commit();
  const env = { ...checkout.env, REMIT_TOKEN: sandbox.token, REMIT_SERVER: sandbox.url };
  const withEnv =
    (more: Readonly<Record<string, string>>) =>
    (...argv: readonly string[]) =>
      runInside(argv, { cwd: checkout.root, env: { ...env, ...more } });
  const remit = Object.assign(withEnv({}), { with: withEnv });
  const applied = await remit("apply", "--yes");
  expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining("3 created")]);
  const names = () =>
    GROUPS.flatMap(({ number }) => {
      const row = sandbox.store.automations.get(APP, `entitlement000000000000000${number}`);
      return row === undefined || (row.deletedAt ?? null) !== null ? [] : [row.displayName];
    });
  return { ...checkout, remit, names, sandbox };
}

it("each row of a shape is an object of its own, and the next plan is empty", async () => {
  const { remit, names } = await begin();
  expect(names()).toEqual(["Group g1", "Group g2", "Group g3"]);
  expect((await remit("plan")).stdout).toContain("Nothing to do: 3 unchanged");
  expect((await remit("plan", "--target", "EntitlementAutomation/group[g2]")).stdout).toContain(
    "1 unchanged",
  );
});

it("a row that changes shows the line of the values file, and the shape beside it", async () => {
  const { remit, write } = await begin();
  write(VALUES, values(rows().map((row) => (row.id === "g2" ? { ...row, department: "Sales" } : row))));
  const { stdout } = await remit("plan", "--acknowledge", "max-changes");
  expect(stdout).toMatch(/EntitlementAutomation\/group\[g2\] +manifests\/groups\.yaml:1\n/);
  expect(stdout).toMatch(/cel\.expression: +values\/common\.yaml:6\n/);
  expect(stdout).toContain("Sales");
  expect(stdout).toContain("Plan: 0 to create, 1 to change, 0 to delete; 2 unchanged.");
});

it("the comment on a pull request shows the line of the row that it edits", async () => {
  const { remit, write, git, commit, root } = await begin();
  git("checkout", "-q", "-b", "change");
  write(VALUES, values(rows().map((row) => (row.id === "g2" ? { ...row, department: "Sales" } : row))));
  commit();
  const forge = await startStandIn("github");
  const head = git("rev-parse", "HEAD");
  forge.pulls.splice(0, 1, { ...PULL, head: { ...PULL.head, sha: head } });
  const branch = (sha: string, ref: string) => ({ sha, ref, repo: { full_name: REPOSITORY } });
  const event = { number: 41, head: branch(head, "change"), base: branch("b2".repeat(20), "main") };
  write(".remit/event.json", JSON.stringify({ pull_request: event }));
  const plan = join(root, "..", "plan.json");
  const out = ["--acknowledge", "max-changes", "--out", plan];
  expect((await remit("plan", "--since", "main", "--settings-from", "main", ...out)).code).toBe(0);
  const { code, stderr } = await remit.with({
    GITHUB_ACTIONS: "true",
    GITHUB_API_URL: forge.url,
    GITHUB_SERVER_URL: "https://forge.example",
    GITHUB_REPOSITORY: REPOSITORY,
    GITHUB_SHA: "c3".repeat(20),
    GITHUB_RUN_ID: "7",
    GITHUB_EVENT_PATH: join(root, ".remit/event.json"),
    REMIT_FORGE_TOKEN: BOT.token,
  })("comment", plan);
  expect([code, stderr]).toEqual([0, "Wrote the comment on #41\n"]);
  const body = forge.comments.at(-1)?.body ?? "";
  expect(body).toContain(`@@ cel.expression @@ this change ${head.slice(0, 8)}, ${VALUES}:6\n`);
  expect(body).toContain('! subject.department == "[-D2-]{+Sales+}"');
  expect(body).toContain(`/${head}/${SHAPE}#L1)`);
});

it("annotations and SARIF show a mistake of a row where it is written, with the shape beside it", async () => {
  const { remit, write } = await begin();
  write(VALUES, values(rows().map((row) => (row.id === "g3" ? { ...row, entitlement: 12 } : row))));
  const github = (await remit("validate", "--format", "github")).stdout;
  expect(github).toMatch(/^::error file=values\/common\.yaml,line=7,/);
  expect(github).toContain(`%0A${SHAPE}:7:21: the manifest uses it here`);
  const { runs } = JSON.parse((await remit("validate", "--format", "sarif")).stdout);
  const placeOf = ({ physicalLocation: { artifactLocation, region } }: Physical) =>
    `${artifactLocation.uri}:${region.startLine}`;
  const [result] = runs[0].results;
  expect(result.locations.map(placeOf)).toEqual([`${VALUES}:7`]);
  expect(result.relatedLocations.map(placeOf)).toEqual([`${SHAPE}:7`]);
});

interface Physical {
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string };
    readonly region: { readonly startLine: number };
  };
}

it("a shared list that gets an entry shows the line of the entry", async () => {
  const { remit, write } = await begin();
  const entry = (number: number) => ({ appId: APP, appEntitlementId: `entitlement000000000000000${number}` });
  const shared = (...entries: readonly object[]) =>
    `${values(rows())}  privileged:\n${entries.map((one) => `    - ${JSON.stringify(one)}\n`).join("")}`;
  const template = "2fsgTvxP0DVTsNXEUBI7T000001";
  write(VALUES, shared(entry(2)));
  write(
    "manifests/q4.yaml",
    `apiVersion: remit/v1\nkind: TemplateScope\nmetadata: { name: q4 }\nspec:\n  templateId: ${template}\n  scope: { allUsers: {} }\n  entitlements: [{ $values: privileged }]\n`,
  );
  const some = ["--acknowledge", "max-changes"];
  expect((await remit("apply", "--yes", ...some)).code).toBe(0);
  write(VALUES, shared(entry(2), entry(1)));
  const { stdout } = await remit("plan", ...some);
  expect(stdout).toMatch(/entitlements: \+1 \(1 → 2\) +values\/common\.yaml:10\n/);
});

it("a row that goes away makes its object removed, and only --prune deletes it", async () => {
  const { remit, write, names } = await begin();
  write(VALUES, values(rows(2)));
  expect((await remit("plan")).stdout).toContain("EntitlementAutomation/group[g3]");
  expect((await remit("apply", "--yes")).code).toBe(0);
  expect(names()).toHaveLength(3);
  expect((await remit("apply", "--yes", "--prune", "--acknowledge", "max-changes")).code).toBe(0);
  expect(names()).toEqual(["Group g1", "Group g2"]);
});

it("a values file that cannot be read removes nothing, and is named", async () => {
  const { remit, write, names } = await begin();
  write(VALUES, `${values(rows(2))}  : [\n`);
  const { code, stderr } = await remit("apply", "--yes", "--prune", "--acknowledge", "max-changes");
  expect([code, stderr]).toEqual([5, expect.stringContaining(VALUES)]);
  // What the file would say is not known, so who reads it has no mistake.
  expect(stderr).toContain("1 error in 1 file");
  expect(names()).toHaveLength(3);
});

it("--since takes a change of a value for a change of the rows that read it", async () => {
  const { remit, write, git, commit } = await begin();
  git("checkout", "-q", "-b", "change");
  write(VALUES, values([...rows(1), { ...rows(2)[1], department: "Sales" }]));
  commit();
  const { stdout } = await remit("plan", "--since", "main", "--prune", "--acknowledge", "max-changes");
  expect(stdout).toContain("1 to change, 1 to delete");
});

it("a literal manifest that becomes a row stays the same object", async () => {
  const { remit, write } = await begin();
  write(VALUES, values(rows(2)));
  const literal = shape
    .replace("name: group }", "name: third }")
    .replace(/forEach.*\n/, "")
    .replace("{ $value: g.entitlement }", "entitlement0000000000000003")
    .replace('{ $text: "Group {g.id}" }', "Group g3")
    .replace(/cel: .*\n/, 'cel: { expression: subject.department == "D3" }\n');
  write("manifests/third.yaml", literal);
  const { code, stdout } = await remit("plan", "--detailed-exitcode");
  expect([code, stdout]).toEqual([0, expect.stringContaining("0 to create, 0 to change, 0 to delete")]);
});

it("accept leaves what a shape gives, and says where to change it", async () => {
  const { remit, sandbox, root } = await begin();
  const key = [APP, "entitlement0000000000000001"] as const;
  const row = sandbox.store.automations.get(...key);
  sandbox.store.automations.put(...key, { ...row, displayName: "By hand" } as never);
  const before = readFileSync(join(root, SHAPE), "utf8");
  const { stdout, stderr } = await remit("accept", "EntitlementAutomation/group[g1]", "--yes");
  expect(`${stdout}${stderr}`).toContain("a shape makes it");
  const [first, second] = ["[g1]#displayName", "[g2]#displayName"].map(
    (end) => `EntitlementAutomation/group${end}`,
  );
  expect(`${stdout}${stderr}`.replace(/\s+/g, " ")).toContain(
    `Edit ${SHAPE}:8; 3 fields read it: ${first}, ${second}`,
  );
  expect(readFileSync(join(root, SHAPE), "utf8")).toBe(before);
});

it("accept names the row that gives a value, and that nothing else reads it", async () => {
  const { remit, sandbox, write } = await begin();
  const named = rows().map((row) => ({ ...row, name: row.id }));
  write(VALUES, values(named));
  write(SHAPE, shape.replace('{ $text: "Group {g.id}" }', "{ $value: g.name }"));
  expect((await remit("apply", "--yes")).code).toBe(0);
  const key = [APP, "entitlement0000000000000002"] as const;
  sandbox.store.automations.put(...key, {
    ...sandbox.store.automations.get(...key),
    displayName: "x",
  } as never);
  const { stdout, stderr } = await remit("accept", "EntitlementAutomation/group[g2]#displayName", "--yes");
  expect(`${stdout}${stderr}`.replace(/\s+/g, " ")).toContain(`Edit ${VALUES}:6; nothing else reads it.`);
});

it("moved: keeps an object whose id only the state knows", async () => {
  const { remit, write } = await begin();
  const type = (name: string, more = "") =>
    `apiVersion: remit/v1\nkind: ResourceType\nmetadata: { name: ${name}${more} }\nspec: { appId: ${APP}, resourceType: ROLE, displayName: Team }\n`;
  write("manifests/type.yaml", type("old"));
  expect((await remit("apply", "--yes")).code).toBe(0);
  write("manifests/type.yaml", type("new"));
  write(
    "remit.yaml",
    `manifests: [manifests]\nvalues: [${VALUES}]\nmoved: [{ from: ResourceType/old, to: ResourceType/new }]\n`,
  );
  const { stdout } = await remit("plan");
  expect(stdout).toContain("Plan: 0 to create, 0 to change, 0 to delete");
  expect((await remit("apply", "--yes")).code).toBe(0);
  const after = await remit("plan", "-v");
  expect(after.stdout).toContain("Nothing to do: 4 unchanged");
  expect(`${after.stdout}${after.stderr}`).toContain("plan/moved-idle");
});

it("get: writes the row of an object beside the name of its shape", async () => {
  const { remit } = await begin();
  const { code, stdout } = await remit("get", "EntitlementAutomation/group[g2]");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^metadata:\n {2}name: group\n {2}row: g2\n/m)]);
  expect(stdout).not.toContain("Left out");
});

it("render: names the nearest value and the nearest context, and nothing else", async () => {
  const { remit, write } = await begin();
  const value = await remit("render", "--values", "grups");
  expect([value.code, value.stdout]).toEqual([1, ""]);
  expect(value.stderr).toContain("no named value is called grups\n  = Did you mean groups?");
  write("remit.yaml", `manifests: [manifests]\ncontexts: { staging: { values: [${VALUES}] }, live: {} }\n`);
  for (const command of ["render", "validate"]) {
    const { stderr, stdout } = await remit(command, "--context", "stagin");
    expect(`${stdout}${stderr}`).toContain("Did you mean staging?");
    expect(`${stdout}${stderr}`).not.toContain("value/unknown");
  }
});
