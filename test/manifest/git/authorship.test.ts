import { expect, it } from "vitest";
import { authorshipSince, commitOfLines } from "../../../src/manifest/git/authorship.js";
import { findCheckout, openGit } from "../../../src/manifest/git/git.js";
import { type FakeCheckout, makeCheckout } from "../../fakes/checkout.js";

async function authorshipOf(checkout: FakeCheckout, base: string, folder = "") {
  const found = findCheckout(checkout.root);
  if (found === null) throw new Error("no checkout");
  return authorshipSince(openGit(found, checkout.environment), base, folder);
}

it("names the commit of each line that a change wrote, and none for older lines", async () => {
  const checkout = makeCheckout({ "p/a.yaml": "1\n2\n3\n", "p/é b.yaml": "x\n", "other.yaml": "o\n" });
  const base = checkout.commit();
  checkout.write("p/a.yaml", "one\n2\n3\n");
  checkout.write("p/é b.yaml", "y\n");
  const first = checkout.commit();
  checkout.write("p/a.yaml", "one\n2\nthree\n");
  checkout.write("other.yaml", "p\n");
  const second = checkout.commit();
  const authorship = await authorshipOf(checkout, base, "p");
  expect(Object.keys(authorship).sort()).toEqual(["a.yaml", "é b.yaml"]);
  const file = authorship["a.yaml"] ?? { text: "", lines: [] };
  const ids = (from: number, to = from) => commitOfLines(file, from, to)?.id ?? null;
  expect([ids(1), ids(2), ids(3)]).toEqual([first, null, second]);
  // Two commits wrote these lines, and no single one is named.
  expect(ids(1, 3)).toBeNull();
  expect(authorship["é b.yaml"]?.lines[0]).toEqual({ id: first, author: "a" });
  expect(Object.keys(await authorshipOf(checkout, base)).sort()).toEqual([
    "other.yaml",
    "p/a.yaml",
    "p/é b.yaml",
  ]);
});

it("runs no program that the repository names, and says nothing where git cannot tell", async () => {
  const checkout = makeCheckout({ "a.yaml": "1\n", ".gitattributes": "*.yaml diff=evil\n" });
  const base = checkout.commit();
  for (const text of ["2\n", "2\n3\n"]) {
    checkout.write("a.yaml", text);
    checkout.commit();
  }
  checkout.git("config", "diff.evil.textconv", "touch ran;cat");
  const written = async () =>
    (await authorshipOf(checkout, base))["a.yaml"]?.lines.filter((line) => line !== null).length ?? 0;
  expect(await written()).toBe(2);
  // Not every git goes on without the file, whatever its settings say.
  checkout.git("config", "blame.ignoreRevsFile", "missing");
  expect([0, 2]).toContain(await written());
  expect(checkout.git("status", "--porcelain")).toBe("");
  expect(await authorshipOf(checkout, "0".repeat(40))).toEqual({});
});
