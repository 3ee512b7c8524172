import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { decidingFiles } from "../../../src/manifest/git/decidingFiles.js";
import { findCheckout, openGit } from "../../../src/manifest/git/git.js";
import { type FakeCheckout, makeCheckout } from "../../fakes/checkout.js";

const IGNORED = ["remit.yaml", "remit.yml", ".remitignore"];

async function deciding(
  one: FakeCheckout,
  after: string,
  head: string,
  { folder = "", context = null as string | null, named = [] as readonly string[] } = {},
) {
  const checkout = findCheckout(one.root);
  if (checkout === null) throw new Error("no checkout");
  const git = openGit(checkout, one.environment);
  return (await decidingFiles(git, { after, head }, { folder, context, named })).toSorted();
}

it("the deciding files are settings, manifests, values, guards, tests and the rules for ignoring above them", async () => {
  const checkout = makeCheckout({
    "remit.yaml":
      "manifests: [a/b]\nvalues: [values/a.yaml]\nguards: { own: [guards] }\ntests: [checks/people]\n",
  });
  const commit = checkout.commit();
  expect(await deciding(checkout, commit, commit)).toEqual(
    [
      ...IGNORED,
      "a/.remitignore",
      "a/b",
      "values/.remitignore",
      "values/a.yaml",
      "guards",
      "checks/.remitignore",
      "checks/people",
    ].toSorted(),
  );
});

it("a context has the files that it names, in the folder of its project", async () => {
  const contexts = "contexts: { one: { values: [one.yaml] }, two: { values: [two.yaml] } }";
  const checkout = makeCheckout({ "prod/remit.yaml": `manifests: [m]\n${contexts}\n` });
  const commit = checkout.commit();
  const found = await deciding(checkout, commit, commit, {
    folder: "prod",
    context: "two",
    named: ["ops.yaml"],
  });
  expect(found).toEqual(
    [...IGNORED, "m", "two.yaml", "tests"]
      .map((name) => `prod/${name}`)
      .concat("ops.yaml")
      .toSorted(),
  );
});

it("a file that any commit between the two names is a deciding file", async () => {
  const checkout = makeCheckout({ "remit.yaml": "manifests: [m]\nguards: { own: [first] }\n" });
  const after = checkout.commit();
  checkout.write("remit.yaml", "manifests: [m]\nguards: { own: [second] }\n");
  checkout.commit();
  checkout.write("remit.yaml", "manifests: [m]\n");
  const head = checkout.commit();
  expect(await deciding(checkout, after, head)).toEqual(
    [...IGNORED, "m", "first", "second", "tests"].toSorted(),
  );
});

it("where a link leads is a deciding file, and so is the link", async () => {
  const checkout = makeCheckout({
    "remit.yaml": "manifests: [m, by/link]\ntests: []\n",
    "m/a.yaml": "",
    "shared/b.yaml": "",
    "real/link/c.yaml": "",
  });
  symlinkSync("../shared", join(checkout.root, "m/more"));
  symlinkSync("real", join(checkout.root, "by"));
  symlinkSync("../../../../elsewhere", join(checkout.root, "m/outside"));
  symlinkSync(".", join(checkout.root, "shared/itself"));
  symlinkSync("README", join(checkout.root, "unrelated"));
  const commit = checkout.commit();
  const found = await deciding(checkout, commit, commit);
  expect(found).toEqual(expect.arrayContaining(["m", "m/more", "shared", "by", "by/link", "real/link"]));
  expect(found).not.toContain("README");
});

it.each(["- no map", "manifests: [m]\n  bad", "\u0000"])(
  "unreadable settings (%j) make the whole folder decide",
  async (text) => {
    const checkout = makeCheckout({ "prod/remit.yaml": text });
    const commit = checkout.commit();
    expect(await deciding(checkout, commit, commit, { folder: "prod" })).toContain("prod");
  },
);
