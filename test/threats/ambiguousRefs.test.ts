import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCommit, quiet } from "../../src/manifest/git/findCommit.js";
import { openGit } from "../../src/manifest/git/git.js";
import { cases } from "../fakes/cases.js";
import { makeCheckout } from "../fakes/checkout.js";

const NAMES = ["main", "origin/main", "HEAD", "refs/remotes/origin/main"];
const PLACES = ["refs/heads", "refs/remotes", "refs/tags", "refs"];
const set = fc.uniqueArray(
  fc.record({ place: fc.constantFrom(...PLACES), name: fc.constantFrom(...NAMES), commit: fc.nat(2) }),
  { selector: ({ place, name }) => `${place}/${name}`, maxLength: 6 },
);

describe("a ref that everyone who may push can make", () => {
  it("never wins against a branch, and never stops a name that is whole or of a branch", async () => {
    const checkout = makeCheckout({ a: "1" });
    const commits = Array.from({ length: 3 }, () => checkout.commit());
    await fc.assert(
      fc.asyncProperty(set, fc.constantFrom(...NAMES), async (made, asked) => {
        const refs = new Map(
          made.map(({ place, name, commit }) => [`${place}/${name}`, commits[commit] ?? ""]),
        );
        // As git keeps refs, which needs no run of it.
        const [, , last = ""] = commits;
        const head = refs.get("refs/heads/main") ?? last;
        refs.set("refs/heads/main", head);
        checkout.remove(".git/refs");
        for (const [ref, commit] of refs) checkout.write(`.git/${ref}`, `${commit}\n`);
        const git = quiet(
          openGit({ root: checkout.root, gitFolder: `${checkout.root}/.git` }, checkout.environment),
        );
        const found = await findCommit(git, asked);
        const at = (...names: readonly string[]) => names.flatMap((name) => refs.get(name) ?? []);
        const branches = at(`refs/heads/${asked}`, `refs/remotes/${asked}`);
        const others = at(`refs/tags/${asked}`, `refs/${asked}`);
        const wanted =
          asked === "HEAD"
            ? [head]
            : asked.startsWith("refs/")
              ? at(asked)
              : branches.length > 0
                ? branches
                : others;
        const [only] = wanted;
        if (wanted.length === 0) expect(found.as).toBe("unknown");
        else if (wanted.length > 1) expect(found.as).toBe("ambiguous");
        else expect(found).toEqual({ as: "commit", commit: only });
      }),
      { numRuns: cases(60) },
    );
  });
});
