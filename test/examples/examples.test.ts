import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
// @ts-expect-error a script has no types
import { giveSchemas } from "../../scripts/examples.mjs";
import { EXAMPLES, type Workplace, workplace } from "./workplace.js";

/** What the first plan of each example comes to; its README says the same. */
const STORIES: Readonly<Record<string, string>> = {
  "access-profile": "3 to create, 0 to change, 0 to delete.",
  apps: "2 to create, 5 to change, 0 to delete.",
  company: "1 to create, 2 to change, 0 to delete; 1 to adopt.",
  "core-only": "1 to create, 2 to change, 0 to delete.",
  departments: "58 to create, 5 to change, 0 to delete.",
  "github-actions": "1 to create, 1 to change, 0 to delete.",
  "gitlab-ci": "1 to create, 1 to change, 0 to delete.",
  guards: "3 to create, 2 to change, 0 to delete.",
  policies: "6 to create, 0 to change, 0 to delete.",
  groups: "10 to create, 0 to change, 0 to delete.",
  "joiner-mover-leaver": "5 to create, 2 to change, 0 to delete.",
  "many-apps": "20 to create, 7 to change, 0 to delete; 18 to adopt.",
  quickstart: "1 to create, 2 to change, 0 to delete.",
  review: "1 to create, 1 to change, 0 to delete.",
  "quarterly-review": "0 to create, 4 to change, 0 to delete.",
};

/** The same for an example with several tenants, in the order of its README. */
const OF_CONTEXTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "two-tenants": {
    staging: "2 to create, 1 to change, 0 to delete.",
    production: "1 to create, 1 to change, 0 to delete.",
  },
};

/** What an example asks its reader to acknowledge. */
const ACKNOWLEDGED: Readonly<Record<string, readonly string[]>> = {
  "joiner-mover-leaver": ["--acknowledge", "nobody=EntitlementAutomation/london-office"],
};

/** The example of a tenant that exists before its manifests do. */
const WITHOUT_MANIFESTS = "brownfield";

// Pipelines name a tenant; everything else names the sandbox by itself.
const ON_THE_SANDBOX = { REMIT_SERVER: "sandbox" };

// What a build puts beside each example; these tests need no build.
const schemas = mkdtempSync(join(tmpdir(), "remit-schemas-"));
giveSchemas(join(EXAMPLES, ".."), schemas);
afterAll(() => rmSync(schemas, { recursive: true }));

let place: Workplace | undefined;

function open(example: string): Workplace {
  place = workplace(example, ON_THE_SANDBOX);
  return place;
}

afterEach(() => place?.close());

test("every folder of examples with a project is tested here", () => {
  const projects = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, "remit.yaml")));
  expect(projects.sort()).toEqual(
    [...Object.keys(STORIES), ...Object.keys(OF_CONTEXTS), WITHOUT_MANIFESTS].sort(),
  );
});

test("brownfield has a tenant and no manifests: remit says so, and begins nothing", async () => {
  const { folder, remit } = open(WITHOUT_MANIFESTS);
  const { code, stderr } = await remit("plan");
  expect([code, stderr]).toEqual([5, expect.stringContaining("manifest")]);
  expect(readdirSync(folder)).not.toContain(".remit");
});

describe.each([...Object.keys(STORIES), ...Object.keys(OF_CONTEXTS)])("%s", (example) => {
  const contexts = Object.entries(OF_CONTEXTS[example] ?? { "": STORIES[example] });
  test("is valid, without a warning", async () => {
    const { code, stdout } = await open(example).remit("validate", "--strict");
    expect(stdout).toMatch(/^all \d+ manifests are valid(?: in 2 contexts)?\n$/);
    expect(code).toBe(0);
  });

  test("is laid out canonically", async () => {
    expect(await open(example).remit("fmt", "--check")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("is planned, applied, and planned again to nothing", async () => {
    const { remit } = open(example);
    const acknowledged = ACKNOWLEDGED[example] ?? [];
    for (const [context, story] of contexts) {
      const of = context === "" ? [] : ["--context", context];
      const planned = await remit("plan", "--detailed-exitcode", ...of, ...acknowledged);
      expect(planned.stdout).toContain(`Plan: ${story}\n`);
      expect(planned).toMatchObject({ code: 2, stderr: "" });

      expect((await remit("apply", "--yes", ...of, ...acknowledged)).code).toBe(0);
    }
    for (const [context] of contexts) {
      const again = await remit(
        "plan",
        "--detailed-exitcode",
        ...(context === "" ? [] : ["--context", context]),
      );
      expect(again.stdout).toContain("Nothing to do");
      expect(again).toMatchObject({ code: 0, stderr: "" });
    }
  });

  test("begins its README with a line that says what it is about", () => {
    const [first] = readFileSync(join(EXAMPLES, example, "README.md"), "utf8").split("\n", 1);
    expect(first).toMatch(/^# [^:]+: [a-z].{30,}$/);
  });

  test("tells editors the schema of everything that people write", () => {
    const written = readdirSync(join(EXAMPLES, example), { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".yaml"),
    );
    for (const file of written) {
      const text = readFileSync(join(EXAMPLES, example, file), "utf8");
      const [, schema = ""] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
      const copy = join(schemas, example, dirname(file), schema);
      expect(existsSync(copy), `${file} names the schema ${schema}`).toBe(schema !== "");
    }
  });
});

describe("quickstart", () => {
  test("finds a change by hand, and reverts it", async () => {
    const { remit, folder } = open("quickstart");
    await remit("apply", "--yes");
    const data = join(folder, ".remit", "sandbox.json");
    const before = readFileSync(data, "utf8");
    writeFileSync(data, before.replace(/ && subject\.employmentType == ..Employee../, ""));
    expect(readFileSync(data, "utf8")).not.toBe(before);

    const { stdout } = await remit("plan");
    expect(stdout).toContain("changed in the tenant");
    expect(stdout).toContain("Plan: 0 to create, 1 to change (1 reverts drift), 0 to delete; 2 unchanged.");
    expect((await remit("plan", "--refresh-only", "--detailed-exitcode")).code).toBe(2);

    expect((await remit("apply", "--yes")).code).toBe(0);
    expect((await remit("plan", "--detailed-exitcode")).code).toBe(0);
  });
});

describe("groups", () => {
  test("says which shape was meant by a misspelt name", async () => {
    const { remit, folder } = open("groups");
    const file = join(folder, "manifests", "groups.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("manifest: member", "manifest: membr"));
    const { code, stdout, stderr } = await remit("validate");
    expect([code, stdout + stderr]).toEqual([5, expect.stringContaining("Did you mean member?")]);
  });
});

describe("review", () => {
  test("creates the template once, though its scope is refused, and says what a schedule sets off", async () => {
    const { remit, folder } = open("review");
    const file = join(folder, "manifests", "template.yaml");
    const on = readFileSync(file, "utf8").replace("ScheduleEnabled: false", "ScheduleEnabled: true");
    writeFileSync(file, on);
    expect((await remit("plan")).stdout).toContain("plan/sets-off");
    const rules = [{ fault: "error", status: 403, operation: "SetScopeAndEntitlements", times: 1 }];
    writeFileSync(join(folder, "faults.json"), JSON.stringify({ seed: 1, rules }));
    const settings = join(folder, "remit.yaml");
    const before = readFileSync(settings, "utf8");
    writeFileSync(settings, before.replace("seed.yaml }", "seed.yaml, faults: faults.json }"));
    expect((await remit("apply", "--yes")).code).toBe(3);
    writeFileSync(settings, before);
    const { stdout } = await remit("plan");
    expect(stdout).toContain("Plan: 0 to create, 1 to change, 0 to delete; 1 unchanged.");
  });
});

describe("two-tenants", () => {
  test("promotes the rule that was tried in staging once its line is gone", async () => {
    const { remit, folder } = open("two-tenants");
    const rules = join(folder, "manifests", "automations.yaml");
    for (const context of ["staging", "production"])
      expect((await remit("apply", "--yes", "--context", context)).code).toBe(0);
    writeFileSync(rules, readFileSync(rules, "utf8").replace("  contexts: [staging]\n", ""));
    expect((await remit("plan", "--context", "staging")).stdout).toContain("Nothing to do");
    const { stdout } = await remit("plan", "--context", "production");
    expect(stdout).toContain("+ create  EntitlementAutomation/contractors");
    expect(stdout).toContain("Plan: 1 to create, 0 to change, 0 to delete; 2 unchanged.");
  });

  test("refuses to plan without a context, and lists both", async () => {
    const { code, stderr } = await open("two-tenants").remit("plan");
    expect([code, stderr]).toEqual([5, expect.stringContaining("the contexts staging, production")]);
  });
});

describe("many-apps", () => {
  test("reads each app once, however many of its types are managed", async () => {
    const { stdout } = await open("many-apps").remit("plan", "--format", "json");
    expect(JSON.parse(stdout).calls.made).toEqual({ ResourceType: 40, apps: 1 });
  });

  test("is the same for a team's folder and for its label", async () => {
    const { remit } = open("many-apps");
    const ofFolder = await remit("plan", "manifests/data", "--format", "json");
    const ofLabel = await remit("plan", "-l", "team=data", "--format", "json");
    expect(addresses(ofFolder.stdout)).toHaveLength(6);
    expect(addresses(ofLabel.stdout)).toEqual(addresses(ofFolder.stdout));
  });
});

describe("core-only", () => {
  test("comes to the same where the server is asked what it offers", async () => {
    const { remit } = open("core-only");
    const auto = ["--interface", "auto"];
    expect((await remit("apply", ...auto, "--yes")).code).toBe(4);
    expect((await remit("apply", ...auto, "--yes", "--acknowledge", "unknown-current")).code).toBe(0);
    const again = await remit("plan", "--interface", "auto", "--detailed-exitcode");
    expect(again.stdout).toContain("Nothing to do: 3 unchanged.");
    expect(again.code).toBe(0);
  });
});

describe("guards", () => {
  test("have tests, which hold without a tenant", async () => {
    const { code, stdout, stderr } = await open("guards").remit("test");
    expect([code, stdout, stderr]).toEqual([0, "26 expectations in 12 guards hold\n", ""]);
  });

  test("stop a plan that lets a contractor in, and no flag answers", async () => {
    const { remit, folder } = open("guards");
    const file = join(folder, "manifests", "access.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace(' && subject.employmentType == "Employee"', ""));
    const flag = ["--acknowledge", "own/no-contractors-in-production"];
    const { code, stderr } = await remit("apply", "--yes", ...flag);
    expect([code, stderr]).toEqual([4, expect.stringContaining("error[own/no-contractors-in-production]")]);
  });
});

describe("joiner-mover-leaver", () => {
  test("has tests of its rules, which hold without a tenant", async () => {
    const { code, stdout, stderr } = await open("joiner-mover-leaver").remit("test");
    expect(stdout).toContain("13 expectations in 2 tests hold\n");
    expect([code, stderr]).toEqual([0, ""]);
  });

  test("does not delete what is protected", async () => {
    const { remit, folder } = open("joiner-mover-leaver");
    await remit("apply", "--yes", ...(ACKNOWLEDGED["joiner-mover-leaver"] ?? []));
    rmSync(join(folder, "manifests", "leavers.yaml"));
    const { code, stderr } = await remit("apply", "--prune", "--yes");
    expect(stderr).toContain("guard/protected");
    expect(code).toBe(4);
  });
});

function addresses(report: string): readonly string[] {
  const { steps }: { readonly steps: readonly { readonly address: string }[] } = JSON.parse(report);
  return steps.map(({ address }) => address);
}

describe("an example whose folder is copied alone", () => {
  test.each([...Object.keys(STORIES), ...Object.keys(OF_CONTEXTS), WITHOUT_MANIFESTS])(
    "%s gets every schema that its own schemas refer to",
    (example) => {
      const folder = join(schemas, example, "schemas");
      const files = readdirSync(folder);
      const referred = files.flatMap((file) => {
        const text = readFileSync(join(folder, file), "utf8");
        return [...text.matchAll(/"\$ref": "([^"#]+)/g)].map(([, other]) => other);
      });
      expect(files).toEqual(expect.arrayContaining(["config.json", "seed.json", ...referred]));
    },
  );

  test.each(Object.keys(STORIES))("%s leaves out of git what remit keeps", (example) => {
    expect(readFileSync(join(EXAMPLES, example, ".gitignore"), "utf8")).toBe(".remit/\n");
  });

  test("needs no .gitignore of its own, which npm leaves out of packages", async () => {
    const { folder, remit } = open("quickstart");
    rmSync(join(folder, ".gitignore"));
    const git = (...argv: readonly string[]) =>
      execFileSync("git", argv, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    git("init", "--quiet");
    expect((await remit("apply", "--yes")).code).toBe(0);
    expect(readdirSync(join(folder, ".remit"))).toContain("state.json");
    expect(git("status", "--porcelain", "--untracked-files=all")).not.toContain(".remit");
  });
});
