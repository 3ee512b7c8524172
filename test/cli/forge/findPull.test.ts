import { expect, it } from "vitest";
import { findPull } from "../../../src/cli/forge/findPull.js";
import type { World } from "../../../src/cli/world/world.js";
import type { Forge, ForgeName, PullRequest } from "../../../src/forge/forge.js";
import type { Pipeline } from "../../../src/forge/pipeline.js";

const COMMIT = "c1".repeat(20);

const merged = (number: number, base: string): PullRequest => ({
  number,
  head: { commit: COMMIT, branch: `of-${number}`, repository: "acme/access" },
  base,
  isFromFork: false,
  isOpen: false,
  mergeCommit: COMMIT,
  mergedAt: "2026-01-31T12:00:00Z",
});

const PIPELINE = {
  forge: "github" as ForgeName,
  branch: "main",
  defaultBranch: "main",
  commit: COMMIT,
  change: { as: "none" },
} as Pipeline;

/** What a pipeline of a commit finds, in no checkout, where these pull requests had the commit. */
function found(pulls: readonly PullRequest[], pipeline: Partial<Pipeline> = {}, env: World["env"] = {}) {
  const forge = { mergedWith: async () => pulls } as unknown as Forge;
  return findPull({ cwd: "/", env } as World, forge, { ...PIPELINE, ...pipeline });
}

it.each([
  ["main", {}, {}],
  ["main", { branch: null }, {}],
  ["live", { branch: null }, { REMIT_BRANCH: "live" }],
] as const)(
  "only a pull request into the branch that is applied brought a commit: %s",
  async (base, pipeline, env) => {
    const own = merged(7, base);
    expect(await found([merged(3, "release"), own, merged(4, "feature")], pipeline, env)).toMatchObject({
      number: 7,
    });
    expect(await found([merged(3, "release")], pipeline, env)).toMatchObject({ as: "none", commit: COMMIT });
    expect(await found([own, merged(8, base)], pipeline, env)).toMatchObject({ as: "none", commit: COMMIT });
  },
);
