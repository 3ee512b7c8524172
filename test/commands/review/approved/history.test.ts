import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Run } from "../../../../src/cli/run/run.js";
import { commitsToApply } from "../../../../src/commands/review/approved/history.js";
import { findCheckout, openGit } from "../../../../src/manifest/git/git.js";
import { cases } from "../../../fakes/cases.js";
import { makeCheckout } from "../../../fakes/checkout.js";

/** A branch whose first commit has no project; each letter is a commit: `d` changes a deciding file, `w` only words. */
function makeBranch(kinds: string) {
  const checkout = makeCheckout({ "README.md": "Words." });
  const commits = [checkout.commit()];
  for (const [at, kind] of [...kinds].entries()) {
    if (at === 0) checkout.write("remit.yaml", "manifests: [manifests]\n");
    if (kind === "d") checkout.write("manifests/one.yaml", `# ${at}\n`);
    else checkout.write("README.md", `Words ${at}.`);
    commits.push(checkout.commit());
  }
  const found = findCheckout(checkout.root);
  if (found === null) throw new Error("a checkout has just been made");
  return { commits, root: checkout.root, git: openGit(found, checkout.environment) };
}

const KINDS = "dwddwdd";

describe("what is applied next", () => {
  const runWith = (root: string, lastApplied: string | null) =>
    ({
      world: { cwd: root },
      project: { root, contexts: { current: null }, trust: { from: null } },
      store: {
        read: async () => ({
          snapshot: lastApplied === null ? null : { lastApplied: { "": lastApplied } },
        }),
      },
    }) as unknown as Run;
  const decides = (at: number) => at > 0 && KINDS[at - 1] === "d";
  const place = fc.nat(KINDS.length);

  it("begins after the newest commit that the forge shows as applied, wherever the state says that it was", async () => {
    const { commits, root, git } = makeBranch(KINDS);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(place),
        fc.option(place),
        fc.option(place),
        async (applied, recorded, since) => {
          const asked: string[] = [];
          const run = runWith(root, recorded === null ? null : (commits[recorded] ?? ""));
          const from = since === null ? undefined : commits[since];
          const { value, diagnostics } = await commitsToApply(run, git, from, async (commit) => {
            asked.push(commit);
            return applied.some((at) => commits[at] === commit);
          });
          expect(new Set(asked).size).toBe(asked.length);
          if (since === null && recorded === null) {
            expect([value, diagnostics[0]?.code]).toEqual([null, "approved/no-state"]);
            expect(diagnostics[0]?.hint).toContain(`since: ${commits[0]}`);
            return;
          }
          const newest = Math.max(-1, ...applied.filter((at) => decides(at) && at > (since ?? -1)));
          // A recorded commit counts where the forge shows it as applied, whatever it changed.
          const known = since === null && recorded !== null && applied.includes(recorded) ? recorded : -1;
          const after = Math.max(newest, known, since ?? 0);
          const left = commits.filter((_, at) => at > after && decides(at));
          expect(value?.commits.filter(({ isWithin }) => isWithin).map(({ commit }) => commit)).toEqual(left);
          // Nothing that the forge shows as applied is applied again, and nothing behind it is skipped.
          for (const at of applied) if (decides(at)) expect(left).not.toContain(commits[at]);
        },
      ),
      { numRuns: cases(25, 100) },
    );
  });
});
