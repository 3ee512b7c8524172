import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readEarlierProject } from "../../../src/manifest/git/earlierProject.js";
import { type FakeCheckout, makeCheckout } from "../../fakes/checkout.js";

const read = async ({ root, environment }: FakeCheckout, folder = "") => {
  const { value, diagnostics } = await readEarlierProject(join(root, folder), "HEAD", environment);
  return {
    files: value?.sources.map(({ file }) => file),
    isComplete: value?.isComplete,
    apps: value?.vocabulary.apps,
    codes: diagnostics.map(({ code }) => code),
    said: diagnostics.map(({ message }) => message).join("\n"),
  };
};

describe("the project as a commit has it", () => {
  it("is what its own remit.yaml names, whatever the work tree has", async () => {
    const checkout = makeCheckout({
      "remit.yaml": "manifests: [a]\napps: { GitHub: 2fsg, Bad: 7 }\n",
      "a/one.yaml": "one",
      "a/sub/two.json": "{}",
      "a/note.txt": "",
      "b/three.yaml": "three",
    });
    checkout.commit();
    checkout.write("remit.yaml", "manifests: [b]\n");
    checkout.remove("a");
    expect(await read(checkout)).toEqual({
      files: ["a/one.yaml", "a/sub/two.json"],
      isComplete: true,
      apps: { GitHub: "2fsg" },
      codes: [],
      said: "",
    });
  });

  it("leaves out what a .remitignore of that commit leaves out, and what is never read", async () => {
    const checkout = makeCheckout({
      "remit.yaml": "",
      ".remitignore": "drafts/\n*.tmp.yaml\n!keep.tmp.yaml\n",
      "drafts/a.yaml": "",
      "b.tmp.yaml": "",
      "keep.tmp.yaml": "",
      "sub/.remitignore": "/c.yaml\n",
      "sub/c.yaml": "",
      "sub/d/c.yaml": "",
      "node_modules/e.yaml": "",
      ".remit/f.yaml": "",
    });
    checkout.commit();
    checkout.write(".remitignore", "");
    expect((await read(checkout)).files).toEqual(["keep.tmp.yaml", "remit.yaml", "sub/d/c.yaml"]);
  });

  it("is that of a subfolder where the project is in one, and paths lead nowhere else", async () => {
    const checkout = makeCheckout({
      "other.yaml": "",
      "infra/remit.yml": "manifests: [., ../other.yaml, /etc]\n",
      "infra/a.yaml": "",
    });
    checkout.commit();
    expect((await read(checkout, "infra")).files).toEqual(["a.yaml", "remit.yml"]);
  });

  it("follows links inside the project, and no others", async () => {
    const checkout = makeCheckout({
      "secret.yaml": "",
      "infra/remit.yaml": "manifests: [link, out, loop]\n",
      "infra/real/a.yaml": "",
    });
    symlinkSync("real", join(checkout.root, "infra/link"));
    symlinkSync("../secret.yaml", join(checkout.root, "infra/out"));
    symlinkSync("loop", join(checkout.root, "infra/loop"));
    checkout.commit();
    const { files, isComplete, codes } = await read(checkout, "infra");
    expect([files, isComplete]).toEqual([["link/a.yaml"], false]);
    expect(codes).toEqual(["since/incomplete", "since/incomplete"]);
  });

  it("is none where the commit has no remit.yaml in the folder", async () => {
    const checkout = makeCheckout({ "a.yaml": "" });
    checkout.commit();
    expect(await read(checkout)).toMatchObject({ files: [], isComplete: true, codes: ["since/no-project"] });
  });

  it("is none outside a checkout, and not known where its remit.yaml is broken", async () => {
    const checkout = makeCheckout({ "remit.yaml": "manifests: [", "a.yaml": "" });
    checkout.commit();
    expect(await read(checkout)).toMatchObject({ files: [], isComplete: false, codes: ["since/incomplete"] });
    const { codes } = await read({ ...checkout, root: "/" });
    expect(codes).toEqual(["since/no-checkout"]);
  });

  it.each(["a partial", "a damaged"])(
    "says what to fetch where %s clone lacks a file of it",
    async (clone) => {
      const checkout = makeCheckout({ "remit.yaml": "", "a.yaml": "one" });
      checkout.commit();
      const blob = checkout.git("rev-parse", "HEAD:a.yaml").trim();
      if (clone === "a partial") {
        checkout.git("config", "core.repositoryFormatVersion", "1");
        checkout.git("config", "extensions.partialClone", "origin");
        checkout.git("config", "remote.origin.promisor", "true");
        checkout.git("config", "remote.origin.url", checkout.root);
      }
      rmSync(join(checkout.root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
      expect(await read(checkout)).toMatchObject({
        isComplete: false,
        said: expect.stringContaining("lacks files"),
        codes: ["since/incomplete"],
      });
    },
  );

  it("says that it does not know what a submodule contained", async () => {
    const checkout = makeCheckout({ "remit.yaml": "", "a.yaml": "" });
    const commit = checkout.commit();
    checkout.git("update-index", "--add", "--cacheinfo", `160000,${commit},vendor`);
    checkout.git("commit", "-qm", "submodule");
    const { files, isComplete, codes, said } = await read(checkout);
    expect([files, isComplete]).toEqual([["a.yaml", "remit.yaml"], true]);
    expect([codes, said]).toEqual([["file/submodule"], expect.stringContaining("vendor is a submodule")]);
  });
});
