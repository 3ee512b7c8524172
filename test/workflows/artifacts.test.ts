import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { cases } from "../fakes/cases.js";
import { beginGithub, programsInside } from "./githubTeam.js";
import { beginGitlab, JOBS, type Job, pipeline } from "./gitlabTeam.js";
import type { StepRun } from "./runner.js";

// Real processes, one after the other: on a busy machine they take their time.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** The names of what a job writes, runs or reads by itself. A commit may have each of them. */
const NAMES = [
  ...[
    "remit-artifacts",
    "remit-evidence",
    "plan.html",
    "outcome.html",
    "drift.html",
    "counts.json",
    "quality.json",
  ],
  ...[
    "plan.json",
    "run.json",
    "night.json",
    "unexpected.json",
    "merges",
    "temp",
    "artifacts",
    "install",
    "summary.md",
  ],
  ...[
    "remit-install",
    "remit",
    "remit.tar.gz",
    "npm",
    "git",
    "node_modules",
    "package.json",
    ".npmrc",
    "paths",
  ],
];

/** How a commit has a name: what it puts there, beside a folder outside of the checkout. */
const SHAPES: Readonly<Record<string, (path: string, outside: string) => void>> = {
  "a file": (path) => writeFileSync(path, "of the commit"),
  "a program": (path) => {
    writeFileSync(path, "#!/bin/sh\nexit 9\n");
    chmodSync(path, 0o755);
  },
  "a folder": (path) => {
    mkdirSync(path);
    writeFileSync(join(path, "inside"), "of the commit");
  },
  "a link to a file": (path, outside) => symlinkSync(join(outside, "file"), path),
  "a link to a folder": (path, outside) => symlinkSync(outside, path),
  "a link to nothing": (path, outside) => symlinkSync(join(outside, "nothing"), path),
  "a link to the runner's folder": (path) => symlinkSync("..", path),
};

/** The first makes a link of the folder of the artefacts, which is the first name. */
const ROTATIONS = [4, 1, 6, 0, 2, 3, 5];

/** The names that a commit has, each with its shape. */
type Brought = Readonly<Record<string, string>>;

const programs = programsInside();

/** A folder that no job may change, and whether one did. */
function watched() {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "remit-outside-")));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  writeFileSync(join(outside, "file"), "before");
  return { outside, left: () => [readdirSync(outside), readFileSync(join(outside, "file"), "utf8")] };
}

/** Lets a branch have the names, at the root and in the folder of the manifests' neighbours. */
function bring(work: string, brought: Brought, outside: string): void {
  for (const [name, shape] of Object.entries(brought)) {
    const path = join(work, name);
    mkdirSync(dirname(path), { recursive: true });
    SHAPES[shape]?.(path, outside);
  }
}

/** Every file below a folder, without those that are links or no files; with what is none. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => !lstatSync(join(folder, path)).isDirectory())
    .map((path) => (lstatSync(join(folder, path)).isFile() ? path : `${path} is no file`))
    .sort();
}

/** What the jobs of GitLab come to, where the change has some names. */
async function onGitlab(brought: Brought) {
  const { outside, left } = watched();
  const team = await beginGitlab(programs());
  team.git("checkout", "-q", "topic");
  bring(team.work, brought, outside);
  team.pushAll();
  const seen: Record<string, unknown> = {};
  for (const [name, job] of Object.entries({
    validate: team.validate,
    plan: team.plan,
    apply: team.apply,
    drift: team.drift,
  })) {
    if (name === "apply") team.merge();
    const { code, output, work } = await job();
    const artifacts = filesIn(join(work, "remit-artifacts"));
    const texts = artifacts.map((file) => readFileSync(join(work, "remit-artifacts", file), "utf8"));
    seen[name] = { code, artifacts, isForged: texts.some((text) => text.includes("of the commit")) };
    if (code !== 0) seen[`${name} said`] = output;
  }
  return { seen, left: left(), ...outcomeOf(team) };
}

/** What the jobs of GitHub come to, where the change has some names. */
async function onGithub(brought: Brought) {
  const { outside, left } = watched();
  const team = await beginGithub(programs());
  team.git("checkout", "-q", "topic");
  bring(team.work, brought, outside);
  const head = team.pushAll();
  const jobs = {
    validate: () => team.plan({ head, repository: "mallory/infra" }),
    plan: () => team.plan({ head }),
    apply: () => team.apply(),
    drift: () => team.drift(),
    contexts: () => team.contexts(),
  };
  const seen: Record<string, unknown> = {};
  for (const [name, job] of Object.entries(jobs)) {
    if (name === "apply") team.merge();
    const steps: readonly StepRun[] = Object.values((await job()).jobs).flat();
    seen[name] = steps.map((step) => [step.name, step.code]);
    if (steps.some(({ code }) => code !== 0)) seen[`${name} said`] = steps.map(({ output }) => output);
  }
  return { seen, left: left(), ...outcomeOf(team) };
}

/** What the forge shows, and whether the tenant has the change. */
function outcomeOf({ forge, sandbox }: Pick<Awaited<ReturnType<typeof beginGithub>>, "forge" | "sandbox">) {
  const { comments, statuses } = forge;
  return {
    said: [comments.length, statuses.map(({ state }) => state)],
    isApplied: JSON.stringify(sandbox.store.toTenant().automations).includes('"Engineers"'),
  };
}

test("every artifact of GitLab is in the folder that is made anew", () => {
  for (const { artifacts } of JOBS.map((name) => pipeline[name] as Job))
    for (const path of [...(artifacts?.paths ?? []), ...Object.values(artifacts?.reports ?? {}).flat()])
      expect(path).toMatch(/^remit-artifacts(\/|$)/);
});

describe.each([
  ["GitLab", onGitlab],
  ["GitHub", onGithub],
])("each job on %s comes to the same, and changes nothing outside,", (_forge, run) => {
  let without: ReturnType<typeof run> | null = null;
  const compare = async (brought: Brought) => {
    without ??= run({});
    const expected = await without;
    expect(expected.isApplied).toBe(true);
    expect(Object.keys(expected.seen).filter((name) => name.endsWith("said"))).toEqual([]);
    expect(await run(brought)).toEqual(expected);
  };

  // In every rotation each name has another shape: in the soak, each has every one.
  test.each(ROTATIONS.slice(0, cases(2)))(
    "where a commit has each of the names, in rotation %d",
    (rotation) => {
      const shapes = Object.keys(SHAPES);
      return compare(
        Object.fromEntries(NAMES.map((name, at) => [name, shapes[(at + rotation) % shapes.length] ?? ""])),
      );
    },
  );

  test("where a commit has any of the names, in any of these ways", async () => {
    const shapes = fc.constantFrom(...Object.keys(SHAPES));
    const names = fc.dictionary(fc.constantFrom(...NAMES), shapes, { minKeys: 1, maxKeys: 6 });
    await fc.assert(fc.asyncProperty(names, compare), { numRuns: cases(1), endOnFailure: true });
  });
});
