import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCheckout, openGit } from "../../../src/manifest/git/git.js";
import { baseSince, contentsOf, listAt } from "../../../src/manifest/git/history.js";
import { checkoutAt, type FakeCheckout, makeCheckout } from "../../fakes/checkout.js";

const open = ({ root, environment }: FakeCheckout) => {
  const checkout = findCheckout(root);
  if (checkout === null) throw new Error("no checkout");
  return openGit(checkout, environment);
};
const since = async (checkout: FakeCheckout, ref: string) => {
  const { value, diagnostics } = await baseSince(await open(checkout), ref);
  return value ?? diagnostics.map(({ code }) => code);
};
/** A clone of so many commits. */
function shallow(origin: FakeCheckout, branch: string, depth: number): FakeCheckout {
  const root = join(dirname(origin.root), `shallow-${branch}-${depth}`);
  mkdirSync(root);
  const clone = checkoutAt(root, dirname(origin.root));
  clone.git("clone", "-q", "--depth", String(depth), "--branch", branch, `file://${origin.root}`, ".");
  return clone;
}

describe("the commit that a change is compared with", () => {
  it("is where the branch began, not the tip of the other", async () => {
    const checkout = makeCheckout({ a: "1" });
    const began = checkout.commit();
    checkout.git("checkout", "-q", "-b", "change");
    checkout.commit();
    checkout.git("checkout", "-q", "main");
    const tip = checkout.commit();
    checkout.git("checkout", "-q", "change");
    expect(await since(checkout, "main")).toBe(began);
    expect(await since(checkout, tip)).toBe(began);
  });

  it("is the first parent of HEAD where HEAD is the merge of the change", async () => {
    const checkout = makeCheckout({ a: "1" });
    checkout.commit();
    checkout.git("checkout", "-q", "-b", "change");
    const change = checkout.commit();
    checkout.git("checkout", "-q", "main");
    const before = checkout.commit();
    expect(await since(checkout, "HEAD")).toBe(before);
    checkout.git("merge", "-q", "--no-ff", "-m", "merge", "change");
    expect(await since(checkout, "main")).toBe(before);
    expect(await since(checkout, "change")).toBe(change);
  });

  it("is not known without a commit, of a name that is none, and of another history", async () => {
    const checkout = makeCheckout({ a: "1" });
    expect(await since(checkout, "main")).toEqual(["since/no-commit"]);
    checkout.commit();
    for (const name of ["missing", "--all", "^main", "main\n", "HEAD:a", ""])
      expect(await since(checkout, name), name).toEqual(["since/unknown-ref"]);
    checkout.git("checkout", "-q", "--orphan", "other");
    checkout.commit();
    expect(await since(checkout, "main")).toEqual(["since/unrelated"]);
  });

  it("is an error in a shallow clone that lacks it, until enough is fetched", async () => {
    const origin = makeCheckout({ a: "1" });
    const began = origin.commit();
    origin.git("checkout", "-q", "-b", "change");
    origin.commit();
    origin.commit();
    origin.git("checkout", "-q", "main");
    origin.commit();
    origin.git("checkout", "-q", "-b", "merged");
    origin.git("merge", "-q", "--no-ff", "-m", "merge", "change");

    const clone = shallow(origin, "change", 1);
    const unknown = (await baseSince(await open(clone), "origin/main")).diagnostics;
    expect(unknown).toMatchObject([
      { code: "since/unknown-ref", hint: expect.stringContaining("git fetch --depth=50 origin main:") },
    ]);
    clone.git("fetch", "-q", "--depth=1", "origin", "main:refs/remotes/origin/main");
    const cut = (await baseSince(await open(clone), "origin/main")).diagnostics;
    expect(cut).toMatchObject([{ code: "since/shallow", hint: expect.stringContaining("--unshallow") }]);
    clone.git("fetch", "-q", "--unshallow");
    expect(await since(clone, "origin/main")).toBe(began);

    const merge = shallow(origin, "merged", 1);
    expect(await since(merge, "HEAD")).toEqual(["since/shallow"]);
    merge.git("fetch", "-q", "--deepen=1");
    expect(await since(merge, "HEAD")).toBe(origin.git("rev-parse", "main"));
  });

  it("is never guessed from a name that means several things", async () => {
    const checkout = makeCheckout({ a: "1" });
    const first = checkout.commit();
    const second = checkout.commit();
    checkout.git("update-ref", "refs/remotes/main", first);
    checkout.git("checkout", "-q", "-b", "change");
    checkout.commit();
    const { value, diagnostics } = await baseSince(await open(checkout), "main");
    expect(value).toBeNull();
    expect(diagnostics).toMatchObject([
      {
        code: "since/ambiguous-ref",
        message: "main may mean refs/heads/main or refs/remotes/main",
        hint: "Write the full name, such as --since refs/heads/main.",
      },
    ]);
    expect(await since(checkout, "main~0")).toEqual(["since/ambiguous-ref"]);
    expect(await since(checkout, "refs/heads/main")).toBe(second);
    expect(await since(checkout, "refs/remotes/main")).toBe(first);
    expect(await since(checkout, second.slice(0, 10))).toBe(second);
    checkout.git("update-ref", `refs/heads/${second.slice(0, 10)}`, first);
    expect(await since(checkout, second.slice(0, 10))).toEqual(["since/ambiguous-ref"]);
  });

  it("names the branch of the remote that may be meant", async () => {
    const checkout = makeCheckout({ a: "1" });
    const commit = checkout.commit();
    checkout.git("update-ref", "refs/remotes/origin/release", commit);
    const { diagnostics } = await baseSince(await open(checkout), "release");
    expect(diagnostics).toMatchObject([{ hint: "Did you mean --since origin/release?" }]);
  });
});

it("lists the files of a folder of a commit, and reads their contents, whatever their names", async () => {
  const checkout = makeCheckout({
    "a/b c.yaml": "1",
    "a/-n\n.yaml": "2",
    "a/é.yaml": "2",
    "other.yaml": "3",
  });
  const commit = checkout.commit();
  const git = await open(checkout);
  const listed = (await listAt(git, commit, "a")) ?? [];
  expect(listed.map(({ path }) => path)).toEqual(["-n\n.yaml", "b c.yaml", "é.yaml"]);
  const contents = await contentsOf(git, listed);
  expect(listed.map(({ object }) => contents.get(object)?.toString())).toEqual(["2", "1", "2"]);
  expect(await listAt(git, commit, "missing")).toBeNull();
  await expect(contentsOf(git, [{ object: "0".repeat(40), size: 1 }])).rejects.toThrow("missing");
});
