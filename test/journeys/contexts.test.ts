import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { makeCheckout } from "../fakes/checkout.js";
import { runInside } from "../fakes/inside.js";
import { BOT, REPOSITORY, startStandIn } from "../forge/standIn.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const flat = (text: string) => text.replaceAll(/\s+/g, " ");

const manifest = (name: string, number: number, contexts: string) =>
  `---\napiVersion: remit/v1\nkind: EntitlementAutomation\nmetadata: { name: ${name}${contexts} }\nspec:\n` +
  `  appId: ${APP}\n  appEntitlementId: entitlement000000000000000${number}\n  displayName: ${name}\n` +
  "  cel: { expression: subject.department == d, with: { d: { $value: department } } }\n";

const values = (department: string) =>
  `apiVersion: remit/v1\nkind: Values\nspec: { department: ${department} }\n`;

/** Two tenants, and a checkout with a context for each. */
async function begin() {
  const [staging, production] = [await startSandbox({ seed: 1 }), await startSandbox({ seed: 2 })];
  onTestFinished(async () => {
    await staging.close();
    await production.close();
  });
  const contexts = (states: Readonly<Record<"staging" | "production", string>>) =>
    `contexts:\n` +
    `  staging: { server: "${staging.url}", values: [values/staging.yaml]${states.staging} }\n` +
    `  production: { server: "${production.url}", values: [values/production.yaml]${states.production} }\n`;
  const checkout = makeCheckout({
    "remit.yaml": `project: acme\nmanifests: [manifests]\n${contexts({ staging: "", production: "" })}`,
    ".gitignore": ".remit/\n",
    "values/staging.yaml": values("Try"),
    "values/production.yaml": values("Work"),
    "manifests/all.yaml": `${manifest("both", 1, "")}${manifest("tried", 2, ", contexts: [staging]")}`,
  });
  checkout.commit();
  const env = {
    ...checkout.env,
    REMIT_CONTEXT_STAGING_TOKEN: staging.token,
    REMIT_CONTEXT_PRODUCTION_TOKEN: production.token,
    // Only a server that the operator names, too, gets credentials without a question.
    REMIT_SETTINGS_FROM: "HEAD",
  };
  const run = (argv: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runInside(argv, { cwd: checkout.root, env: { ...env, ...more } });
  const remit = (...argv: readonly string[]) => run(argv);
  const rules = ({ store }: typeof staging) =>
    [1, 2].flatMap((number) => {
      const found = store.automations.get(APP, `entitlement000000000000000${number}`);
      return found === undefined ? [] : [`${found.displayName}: ${JSON.stringify(found)}`];
    });
  const named = (tenant: typeof staging) => rules(tenant).map((text) => text.split(":")[0]);
  return { ...checkout, remit, run, staging, production, named, rules, contexts };
}

describe("two tenants from one tree", () => {
  it("name the context of a plan in each format, also once it is saved", async () => {
    const { remit, root, staging } = await begin();
    const plan = join(root, "..", "plan.json");
    const { code, stdout } = await remit("plan", "--context", "staging", "--out", plan);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Plan for context staging · ${staging.url}`)]);
    const shown = async (format: string) => (await remit("show", plan, "--format", format)).stdout;
    expect(await shown("text")).toContain(`Plan for context staging · ${staging.url}`);
    expect(await shown("markdown")).toContain("context <code>staging</code> · <code>http");
    expect(await shown("html")).toContain(`context staging · ${staging.url}`);
    expect(JSON.parse(await shown("json"))).toMatchObject({ context: "staging" });
  });

  it("each get their own manifests, values, data folder and state", async () => {
    const { remit, staging, production, named, rules, root } = await begin();
    expect((await remit("validate")).stdout).toBe("all 2 manifests are valid in 2 contexts\n");
    expect((await remit("apply", "--yes", "--context", "staging")).code).toBe(0);
    expect([named(staging), named(production)]).toEqual([["both", "tried"], []]);
    expect(existsSync(join(root, ".remit", "production"))).toBe(false);
    expect((await remit("apply", "--yes", "--context", "production")).code).toBe(0);
    expect(named(production)).toEqual(["both"]);
    expect([rules(staging)[0], rules(production)[0]]).toEqual([
      expect.stringContaining("Try"),
      expect.stringContaining("Work"),
    ]);
    for (const name of ["staging", "production"]) {
      expect((await remit("plan", "--context", name)).stdout).toContain("Nothing to do");
      const state = JSON.parse(readFileSync(join(root, ".remit", name, "state.json"), "utf8"));
      expect(state.project).toBe(`acme#${name}`);
    }
    expect((await remit("state", "list", "--context", "production")).stdout).not.toContain("tried");
  });

  it("see a manifest that moves from one to the other: removed here, created there", async () => {
    const { remit, write } = await begin();
    for (const name of ["staging", "production"])
      expect((await remit("apply", "--yes", "--context", name)).code).toBe(0);
    write(
      "manifests/all.yaml",
      `${manifest("both", 1, "")}${manifest("tried", 2, ", contexts: [production]")}`,
    );
    const [here, there] = [
      await remit("plan", "--context", "staging"),
      await remit("plan", "--context", "production"),
    ];
    expect(flat(here.stdout)).toMatch(
      /EntitlementAutomation\/tried .*removed|removed .*EntitlementAutomation\/tried/,
    );
    expect(there.stdout).toContain("+ create  EntitlementAutomation/tried");
  });

  it("are planned by the earlier values and manifests of their own context with --since", async () => {
    const { remit, write, commit, git } = await begin();
    const base = git("rev-parse", "HEAD");
    write("values/production.yaml", values("Rest"));
    commit();
    const [staging, production] = [
      await remit("plan", "--since", base, "--context", "staging"),
      await remit("plan", "--since", base, "--context", "production"),
    ];
    expect(flat(staging.stdout)).toContain("not part of this change: 2 to create");
    expect(flat(production.stdout)).toContain("Plan: 1 to create");
  });

  it("and a context that did not exist then adds everything and removes nothing", async () => {
    const { remit, write, commit, git, contexts } = await begin();
    const text = `project: acme\nmanifests: [manifests]\n`;
    write("remit.yaml", `${text}values: [values/staging.yaml]\n`);
    write("manifests/all.yaml", `${manifest("both", 1, "")}${manifest("gone", 2, "")}`);
    commit();
    const base = git("rev-parse", "HEAD");
    write("remit.yaml", `${text}${contexts({ staging: "", production: "" })}`);
    write("manifests/all.yaml", manifest("both", 1, ""));
    commit();
    const { stdout, stderr } = await remit("plan", "--since", base, "--context", "staging");
    expect(stderr).toContain("since/no-context");
    expect(flat(stdout)).toContain("Plan: 1 to create, 0 to change, 0 to delete");
    expect(stdout).not.toContain("EntitlementAutomation/gone");
  });
});

it("are listed for a pipeline from the settings in force, in the order of the file", async () => {
  const { remit, write, staging, production, contexts } = await begin();
  write(
    "remit.yaml",
    `project: acme\n${contexts({ staging: "", production: "" })}  emea: { server: "https://emea.example" }\n`,
  );
  const listed = async (format: string) => (await remit("contexts", "--format", format)).stdout;
  expect(JSON.parse(await listed("github"))).toEqual({
    context: ["staging", "production"],
    include: [
      { context: "staging", variable: "STAGING" },
      { context: "production", variable: "PRODUCTION" },
    ],
  });
  expect(JSON.parse(await listed("json"))).toEqual({
    contexts: [
      { name: "staging", server: staging.url, state: ".remit/staging/state.json" },
      { name: "production", server: production.url, state: ".remit/production/state.json" },
    ],
  });
  expect(await listed("gitlab")).toContain("REMIT_CONTEXT: production");
  write("remit.yaml", "server: sandbox\n");
  const { stdout } = await remit("contexts", "--format", "github", "--settings-from", "./remit.yaml");
  expect(JSON.parse(stdout)).toEqual({ context: [""] });
});

it("write what one of them contains for that one alone", async () => {
  const { remit, root } = await begin();
  for (const name of ["staging", "production"])
    expect((await remit("apply", "--yes", "--context", name)).code).toBe(0);
  writeFileSync(join(root, "manifests", "all.yaml"), manifest("both", 1, ""));
  expect((await remit("state", "forget", "EntitlementAutomation/tried", "--context", "staging")).code).toBe(
    0,
  );
  const imported = await remit("import", "--context", "staging");
  expect([imported.code, imported.stderr]).toEqual([0, expect.anything()]);
  const texts = readdirSync(join(root, "manifests"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml") && file !== "all.yaml")
    .map((file) => readFileSync(join(root, "manifests", file), "utf8"));
  expect(texts).toHaveLength(1);
  expect(texts[0]).toMatch(/contexts:\n +- staging\n/);
  const { stdout } = await remit("plan", "--context", "staging");
  expect(stdout).toContain("= adopt");
  expect((await remit("plan", "--context", "production")).stdout).toContain("Nothing to do");
});

it("have a comment, an outcome and an approval of their own", async () => {
  const { run, root, commit, git, write, staging, production } = await begin();
  const forge = await startStandIn("github");
  forge.pulls.length = 0;
  const job = (...argv: readonly string[]) =>
    run(argv, {
      GITHUB_ACTIONS: "true",
      GITHUB_API_URL: forge.url,
      GITHUB_SERVER_URL: "https://forge.example",
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_REF: "refs/heads/main",
      GITHUB_SHA: git("rev-parse", "main"),
      GITHUB_EVENT_PATH: join(root, ".remit", "event.json"),
      GITHUB_TOKEN: BOT.token,
      REMIT_SETTINGS_FROM: argv[0] === "plan" ? "refs/heads/main" : "HEAD",
    });
  const names = ["staging", "production"];
  for (const name of names) expect((await job("apply", "--yes", "--context", name)).code).toBe(0);

  git("checkout", "-q", "-b", "change");
  write("values/staging.yaml", values("Trial"));
  write("values/production.yaml", values("Labour"));
  commit();
  const sha = git("rev-parse", "HEAD");
  const head = { sha, ref: "change", repository: REPOSITORY };
  const repo = { full_name: REPOSITORY };
  const event = { pull_request: { number: 7, head: { sha, ref: "change", repo }, base: { repo } } };
  forge.pulls.push({ number: 7, head, state: "open", mergeCommit: null, merged: [] });
  write(".remit/event.json", JSON.stringify(event));
  const plan = join(root, "..", "plan.json");
  const post = async (name: string) => {
    expect((await job("plan", "--since", "main", "--context", name, "--out", plan)).code).toBe(0);
    expect((await job("comment", plan)).code).toBe(0);
  };
  for (const name of [...names, "staging"]) await post(name);
  const tenants = [
    `infra#staging@${new URL(staging.url).host}`,
    `infra#production@${new URL(production.url).host}`,
  ];
  const bodies = () => forge.comments.map(({ body }) => body.replaceAll(/<\/?span>/g, ""));
  const titled = (name: string) => expect.stringContaining(`### infra&#35;${name}&#64;`);
  expect(bodies()).toEqual(names.map(titled));
  expect(bodies()).toEqual(names.map((name) => expect.stringContaining(`context <code>${name}</code>`)));
  expect([...new Set(forge.statuses.map(({ context }) => context))]).toEqual(
    tenants.map((name) => `remit/plan ${name}`),
  );

  // Merged with the plan of one tenant alone.
  forge.statuses.splice(
    0,
    Infinity,
    ...forge.statuses.filter(({ context }) => context.includes("#staging@")),
  );
  git("checkout", "-q", "main");
  const base = git("rev-parse", "HEAD");
  git("merge", "-q", "--squash", "change");
  git("commit", "-q", "-m", "change (#7)");
  const merged = git("rev-parse", "HEAD");
  forge.pulls.splice(0, 1, { number: 7, head, state: "merged", mergeCommit: merged, merged: [merged] });
  write(".remit/event.json", "{}");
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  const approved = await job("approved", "--since", base, "--context", "staging", "--format", "json");
  expect([approved.code, JSON.parse(approved.stdout)]).toMatchObject([
    0,
    [{ number: 7, base, commit: merged }],
  ]);
  const other = await job("approved", "--since", base, "--context", "production");
  expect([other.code, other.stdout]).toEqual([4, ""]);
  const none = await job("approved");
  expect([none.code, none.stderr]).toEqual([5, expect.stringContaining("context/none")]);

  const [{ effect = "" } = {}] = JSON.parse(approved.stdout);
  const outcome = join(root, "..", "outcome.json");
  const pinned = ["--since", base, "--expect", effect, "--report", `json=${outcome}`];
  const applied = await job("apply", "--yes", "--context", "staging", ...pinned);
  expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining("Context staging · Applied")]);
  expect((await job("comment", outcome)).code).toBe(0);
  expect(bodies()).toEqual([...names, "staging"].map(titled));
  expect(bodies()[2]).toContain("context <code>staging</code>");
});

it("hear that an accept edits a manifest that another one has, too", async () => {
  const { remit, staging } = await begin();
  expect((await remit("apply", "--yes", "--context", "staging")).code).toBe(0);
  const accepted = async (name: string, number: number) => {
    const key = `entitlement000000000000000${number}`;
    const row = staging.store.automations.get(APP, key);
    if (row !== undefined) staging.store.automations.put(APP, key, { ...row, displayName: "Drifted" });
    const argv = ["accept", `EntitlementAutomation/${name}#displayName`, "--yes", "--context", "staging"];
    const { code, stderr } = await remit(...argv);
    expect(code).toBe(0);
    return stderr;
  };
  const said = "Shared with the context production: its next plan shows this change, too.";
  expect(await accepted("both", 1)).toContain(said);
  expect(await accepted("tried", 2)).not.toContain("Shared with");
});

describe("a context that is missing or wrong", () => {
  it.each([
    ["plan"],
    ["apply", "--yes"],
    ["state", "list"],
    ["state", "unlock"],
    ["import", "--dry-run"],
    ["get", "EntitlementAutomation"],
    ["accept", "EntitlementAutomation/both"],
    ["doctor"],
  ])("ends %s %s with exit code 5 and the list, and calls no tenant", async (...argv) => {
    const { remit, staging, production } = await begin();
    const { code, stderr } = await remit(...argv.filter((word) => word !== undefined));
    expect([code, flat(stderr)]).toEqual([
      5,
      expect.stringContaining("has the contexts staging, production"),
    ]);
    expect(staging.log.entries().length + production.log.entries().length).toBe(0);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[], string]>([
    ["an unknown name", {}, ["plan", "--context", "stagin"], "Did you mean staging?"],
    ["an unknown name in the environment", { REMIT_CONTEXT: "stagin" }, ["plan"], "Did you mean staging?"],
    ["an empty name", { REMIT_CONTEXT: "" }, ["plan"], "REMIT_CONTEXT is set, but empty"],
    [
      "an empty variable of its own",
      { REMIT_CONTEXT_STAGING_TOKEN: " " },
      ["plan", "--context", "staging"],
      "REMIT_CONTEXT_STAGING_TOKEN is set, but empty",
    ],
    [
      "another state",
      { REMIT_STATE: ".remit/production/state.json" },
      ["plan", "--context", "staging"],
      "REMIT_STATE names the state .remit/production/state.json, and the context staging has .remit/staging/state.json",
    ],
    [
      "another state in a flag",
      {},
      ["state", "list", "--context", "staging", "--state", "x.json"],
      "--state names the state x.json",
    ],
    [
      "the vendor's variable",
      { CONDUCTORONE_TENANT_DOMAIN: "acme" },
      ["plan", "--context", "staging"],
      "CONDUCTORONE_TENANT_DOMAIN names the server https://acme.conductor.one",
    ],
  ])("is refused: %s", async (_, env, argv, said) => {
    const { run, staging, production } = await begin();
    const { code, stderr } = await run(argv, env);
    expect([code, flat(stderr)]).toEqual([5, expect.stringContaining(said)]);
    expect(staging.log.entries().length + production.log.entries().length).toBe(0);
  });

  it("is never a plan against production, where a variable names that server", async () => {
    const { run, staging, production } = await begin();
    for (const argv of [["plan"], ["apply", "--yes"], ["doctor"], ["import"]]) {
      const { code, stderr } = await run([...argv, "--context", "staging"], { REMIT_SERVER: production.url });
      expect([code, stderr]).toEqual([5, expect.stringContaining("error[context/other-place]")]);
    }
    expect(staging.log.entries().length + production.log.entries().length).toBe(0);
    const { code } = await run(["plan", "--context", "staging"], { REMIT_SERVER: `${staging.url}/` });
    expect(code).toBe(0);
  });

  it.each([
    ["all: { server: x }", "a context cannot be called all"],
    ["schemas: { server: x }", "a context cannot be called schemas"],
    ["Staging: { server: x }", '"Staging" cannot be the name of a context'],
    [
      "a: { server: https://x.example }\n  b: { server: https://X.example/ }",
      "the contexts a and b have one server",
    ],
    ["a: { state: git:#x }\n  b: { state: git:origin#x }", "the contexts a and b have one state"],
    ["a: {}\n  a-oidc: {}", "the contexts a and a-oidc would both read REMIT_CONTEXT_A_OIDC_TOKEN"],
    ["a: { sever: x }", "sever is not a field of a"],
  ])("is refused at its line: %s", async (written, said) => {
    const checkout = makeCheckout({
      "remit.yaml": `contexts:\n  ${written}\n`,
      "a.yaml": manifest("a", 1, ""),
    });
    const { code, stdout } = await runInside(["validate"], { cwd: checkout.root, env: checkout.env });
    expect([code, flat(stdout)]).toEqual([5, expect.stringContaining(said)]);
    expect(stdout).toContain(`remit.yaml:${written.includes("\n") ? 3 : 2}`);
  });

  it.each([
    ["contexts: [stagin]", "Did you mean staging?"],
    ["contexts: staging", "contexts is a list of names"],
    ["contexts: { $value: department }", "A named value cannot stand here."],
    ["contexts: []", "contexts is a list of names"],
  ])("is refused in a manifest: %s", async (written, said) => {
    const { remit, write } = await begin();
    write("manifests/all.yaml", manifest("both", 1, `, ${written}`));
    const { code, stdout } = await remit("validate");
    expect([code, flat(stdout)]).toEqual([5, expect.stringContaining(said)]);
    expect(stdout.match(/context\/unknown/g)).toHaveLength(1);
    expect(stdout).toContain("manifests/all.yaml:4");
  });
});

describe("the state of a project that gets contexts", () => {
  async function withNameless(state = "") {
    const made = await begin();
    const { write, commit, run, staging } = made;
    write("remit.yaml", `project: acme\nmanifests: [manifests]\nvalues: [values/staging.yaml]\n${state}`);
    write("manifests/all.yaml", manifest("both", 1, ""));
    commit();
    const env = { REMIT_SERVER: staging.url, REMIT_TOKEN: staging.token };
    expect((await run(["apply", "--yes"], env)).code).toBe(0);
    return made;
  }

  it("blocks every context until it is given to the one of its server, and then continues there", async () => {
    const { remit, write, commit, contexts } = await withNameless();
    write(
      "remit.yaml",
      `project: acme\nmanifests: [manifests]\n${contexts({ staging: "", production: "" })}`,
    );
    commit();
    for (const name of ["staging", "production"]) {
      const { code, stderr } = await remit("plan", "--context", name);
      expect([code, stderr]).toEqual([4, expect.stringContaining("error[context/nameless-state]")]);
    }
    const blocked = await remit("apply", "--yes", "--context", "staging");
    expect([blocked.code, flat(blocked.stderr)]).toEqual([
      4,
      expect.stringContaining("`remit state move --context staging`"),
    ]);
    const wrong = await remit("state", "move", "--context", "production");
    expect([wrong.code, flat(wrong.stderr)]).toEqual([4, expect.stringContaining("the state belongs to")]);
    const moved = await remit("state", "move", "--context", "staging");
    expect([moved.code, moved.stdout]).toEqual([
      0,
      expect.stringContaining("belongs to the project acme#staging now"),
    ]);
    expect((await remit("plan", "--context", "staging")).stdout).toContain("Nothing to do: 1 unchanged");
    expect((await remit("plan", "--context", "production")).code).toBe(0);
  });

  it("stays where it is where a context has its address, and gets the context's name", async () => {
    const { remit, write, commit, contexts } = await withNameless();
    const states = { staging: ", state: .remit/state.json", production: "" };
    write("remit.yaml", `project: acme\nmanifests: [manifests]\n${contexts(states)}`);
    commit();
    const blocked = await remit("plan", "--context", "staging");
    expect([blocked.code, flat(blocked.stderr)]).toEqual([
      4,
      expect.stringContaining("`remit state move --context staging`"),
    ]);
    expect((await remit("plan", "--context", "production")).code).toBe(0);
    expect((await remit("state", "move", "--context", "staging")).code).toBe(0);
    expect((await remit("plan", "--context", "staging")).stdout).toContain("Nothing to do: 1 unchanged");
  });
});

describe("contexts and the settings in force", () => {
  it("are those of the reviewed branch: a context that a change adds is not in force", async () => {
    const { remit, write, contexts } = await begin();
    write(
      "remit.yaml",
      `project: acme\nmanifests: [manifests]\n${contexts({ staging: "", production: "" })}  emea: { server: "https://emea.example" }\n`,
    );
    const { code, stderr } = await remit("plan", "--context", "emea");
    expect([code, flat(stderr)]).toEqual([5, expect.stringContaining("It is in force once it is merged.")]);
    const { stdout } = await remit("plan", "--context", "staging");
    expect(flat(stdout)).toContain("contexts: production, staging → emea, production, staging");
  });

  it("keep a server that a change gives to a context out of force, and show it at its line", async () => {
    const { remit, read, write, production, staging } = await withFile();
    write("remit.yaml", read("remit.yaml").replace(staging.url, "https://evil.example"));
    const { stdout, code } = await remit("plan", "--context", "staging");
    expect(flat(stdout)).toContain(`server: ${staging.url} → https://evil.example`);
    expect(stdout).toContain("remit.yaml:4");
    expect([code, production.log.entries().length]).toEqual([0, 0]);
  });

  it("refuse a context that the working tree no longer has, until its state is empty", async () => {
    const { remit, write, read, production } = await withFile();
    expect((await remit("apply", "--yes", "--context", "production")).code).toBe(0);
    write("remit.yaml", read("remit.yaml").replace(/^ {2}production.*\n/m, ""));
    const { code, stderr } = await remit("plan", "--context", "production");
    expect([code, stderr]).toEqual([4, expect.stringContaining("error[context/departed]")]);
    expect(
      (await remit("state", "forget", "EntitlementAutomation/both", "--context", "production")).code,
    ).toBe(0);
    const after = await remit("plan", "--context", "production");
    expect([after.code, after.stdout]).toEqual([0, expect.stringContaining("Nothing to do.")]);
    expect(production.store.automations.get(APP, "entitlement0000000000000001")).toBeDefined();
  });

  it.each([
    ["in its place", ", state: .remit/production/state.json"],
    ["in a place of its own", ""],
  ])("say of a context that was renamed whose its objects are now, the state %s", async (_where, state) => {
    const { remit, write, commit, read } = await withFile();
    const before = read("remit.yaml");
    expect((await remit("apply", "--yes", "--context", "production")).code).toBe(0);
    const renamed = before.replace(/^ {2}production: \{(.*) \}$/m, `  live: {$1${state} }`);
    write("remit.yaml", renamed);
    const move = async (...argv: readonly string[]) => {
      const { code, stderr } = await remit("state", "move", ...argv);
      expect([code, stderr]).toEqual([0, ""]);
    };
    if (state === "") await move(".remit/live/state.json", "--context", "production");
    const from = ["--from-project", "acme#production", "--settings-from", "remit.yaml"];
    await move("--context", "live", ...from);
    const { code, stdout } = await remit("plan", "--context", "production", "--since", "HEAD");
    expect([code, flat(stdout)]).toEqual([
      0,
      expect.stringContaining("the working tree no longer has the context production"),
    ]);
    expect(stdout).toContain("Nothing to do.");
    expect(stdout).not.toContain("STAYS ACTIVE");
    commit();
    expect((await remit("plan", "--context", "live", "--since", "HEAD~1")).stdout).not.toContain("STAYS");
  });

  async function withFile() {
    const made = await begin();
    return { ...made, read: (file: string) => readFileSync(join(made.root, file), "utf8") };
  }
});

it("each show a failed run as their own where a pull request breaks remit.yaml", async () => {
  const root = mkdtempSync(join(tmpdir(), "remit-broken-contexts-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const git = (...argv: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=ada", "-c", "user.email=ada@example", ...argv], { cwd: root });
  const commit = (text: string) => {
    writeFileSync(join(root, "remit.yaml"), text);
    git("add", "-A");
    git("commit", "-qm", "change");
  };
  git("init", "-q");
  const project = `manifests: [manifests]
contexts:
  staging: { server: "https://one.example" }
  production: { server: "https://two.example" }
`;
  commit(project);
  commit(project.replace("]", ""));
  const failed = async (name: string) => {
    const argv = ["plan", "--context", name, "--settings-from", "HEAD^1", "--format", "json"];
    const { code, stdout } = await runInside(argv, { cwd: root, env: { PATH: process.env.PATH } });
    const { context, server, diagnostics } = JSON.parse(stdout);
    return [code, context, server, diagnostics.map((one: { code: string }) => one.code)];
  };
  expect(await failed("staging")).toEqual([5, "staging", "https://one.example", ["yaml/syntax"]]);
  expect(await failed("production")).toEqual([5, "production", "https://two.example", ["yaml/syntax"]]);
});
