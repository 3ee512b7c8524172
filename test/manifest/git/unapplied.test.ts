import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCheckout, openGit } from "../../../src/manifest/git/git.js";
import { unappliedAfter } from "../../../src/manifest/git/unapplied.js";
import { checkoutAt, type FakeCheckout, makeCheckout } from "../../fakes/checkout.js";

async function unapplied(
  one: FakeCheckout,
  after: string,
  end: string | null = null,
  paths = ["manifests"],
  reviewed: string | null = null,
) {
  const checkout = findCheckout(one.root);
  if (checkout === null) throw new Error("no checkout");
  return unappliedAfter(openGit(checkout, one.environment), after, { end, reviewed }, async () => paths);
}
/** A checkout with one applied commit, and a way to commit a change of a manifest with a subject. */
function begin() {
  const checkout = makeCheckout({ "manifests/a.yaml": "0", README: "0" });
  const applied = checkout.commit();
  let texts = 0;
  return {
    ...checkout,
    applied,
    change(subject: string, file = "manifests/a.yaml") {
      texts += 1;
      checkout.write(file, String(texts));
      checkout.git("add", "-A");
      checkout.git("commit", "-q", "-m", subject);
      return checkout.git("rev-parse", "HEAD");
    },
  };
}

describe("what was merged after the last commit that was applied", () => {
  it("is the commits of the first-parent line that change the project, the oldest first", async () => {
    const checkout = begin();
    const { applied, change, git } = checkout;
    expect(await unapplied(checkout, applied)).toBeNull();
    const squash = change("Squash (#1)");
    change("Documentation", "README");
    git("checkout", "-q", "-b", "topic");
    change("Not on the first-parent line", "manifests/b.yaml");
    git("checkout", "-q", "main");
    git("merge", "-q", "--no-ff", "-m", "Merge #2", "topic");
    const merge = git("rev-parse", "HEAD");
    const commits = [
      { commit: squash, subject: "Squash (#1)" },
      { commit: merge, subject: "Merge #2" },
    ];
    expect(await unapplied(checkout, applied)).toEqual({ after: applied, commits, more: 0 });
    expect((await unapplied(checkout, applied, squash))?.commits).toEqual(commits.slice(0, 1));
    expect((await unapplied(checkout, applied, null, [""]))?.commits).toHaveLength(3);
  });

  it("ends where a branch left the main branch of the remote", async () => {
    const checkout = begin();
    const merged = checkout.change("Merged");
    checkout.git("update-ref", "refs/remotes/origin/main", merged);
    checkout.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    checkout.git("checkout", "-q", "-b", "topic");
    checkout.change("Not merged");
    const found = await unapplied(checkout, checkout.applied);
    expect(found?.commits).toEqual([{ commit: merged, subject: "Merged" }]);
  });

  it.each(["refs/remotes/origin/main", "refs/heads/main", "the reviewed commit"])(
    "never names a commit of the branch where %s is known",
    async (main) => {
      const checkout = begin();
      const { git, applied } = checkout;
      const merged = checkout.change("Merged");
      git("checkout", "-q", "-b", "topic");
      git("branch", "-m", "main", "trunk");
      const isReviewed = !main.startsWith("refs/");
      if (!isReviewed) git("update-ref", main, merged);
      const own = checkout.change("Not merged");
      checkout.change("Not merged, either");
      for (const end of [null, own]) {
        const found = await unapplied(checkout, applied, end, ["manifests"], isReviewed ? merged : null);
        expect(found?.commits).toEqual([{ commit: merged, subject: "Merged" }]);
      }
    },
  );

  it("is unknown where the checkout does not lead back to it, and nothing where the line left it", async () => {
    const checkout = begin();
    const { applied, git, root } = checkout;
    checkout.change("Merged");
    const missing = "0".repeat(40);
    expect(await unapplied(checkout, missing)).toEqual({ after: missing, commits: null, more: 0 });
    const shallow = join(dirname(root), "shallow");
    mkdirSync(shallow);
    const clone = checkoutAt(shallow, dirname(root));
    clone.git("clone", "-q", "--depth", "1", `file://${root}`, ".");
    expect(await unapplied(clone, applied)).toEqual({ after: applied, commits: null, more: 0 });
    // A branch that began before the last apply.
    const newer = git("rev-parse", "HEAD");
    git("checkout", "-q", "-b", "older", applied);
    checkout.change("Own");
    expect(await unapplied(checkout, newer)).toBeNull();
  });

  it("is bounded in number and length", async () => {
    const checkout = begin();
    const first = checkout.change(`commit ${"a".repeat(40)}\u0301${"\u0301".repeat(400)}`);
    for (let number = 0; number < 24; number += 1) checkout.change(`${number}`);
    const found = await unapplied(checkout, checkout.applied);
    expect([found?.commits?.length, found?.more]).toEqual([20, 5]);
    expect(found?.commits?.[0]?.commit).toBe(first);
    expect([...(found?.commits?.[0]?.subject ?? "")].length).toBeLessThanOrEqual(120);
  });
});
