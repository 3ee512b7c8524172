import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeProjectCheckout, type ProjectCheckout } from "../fakes/projectCheckout.js";

/** The project of production, and another one whose settings permit more. */
const [PROD, DEV] = ["org/team/prod", "org/team/dev"];
const WAY = ["org", "org/team", "org/team/prod"];

let checkout: ProjectCheckout;
beforeAll(() => {
  checkout = makeProjectCheckout("examples/quickstart");
  checkout.write(`${PROD}/remit.yaml`, "server: sandbox\nguards: { maxDeletes: 0 }\n");
  checkout.write(`${DEV}/remit.yaml`, "server: sandbox\nguards: { maxDeletes: 900 }\n");
  checkout.write("copy/team/prod/remit.yaml", "guards: { maxDeletes: 900 }\n");
  checkout.write("copy/prod/remit.yaml", "guards: { maxDeletes: 900 }\n");
  checkout.commit();
  checkout.git("checkout", "-q", "-b", "change");
  return () => checkout.close();
});

const at = (path: string) => join(checkout.root, path);
const TARGETS: Readonly<Record<string, string>> = {
  org: "copy",
  "org/team": "../copy",
  "org/team/prod": "dev",
};
const COMMANDS = ["plan", "apply", "config", "validate", "contexts", "doctor", "state list", "fmt"];

/** Replaces a folder of the change, and puts it back. */
async function replaced(folder: string, by: (path: string) => void, work: () => Promise<void>) {
  rmSync(at(folder), { recursive: true });
  mkdirSync(dirname(at(folder)), { recursive: true });
  by(at(folder));
  try {
    await work();
  } finally {
    rmSync(at(folder), { recursive: true });
    checkout.git("checkout", "-q", "main", "--", ".");
  }
}

describe("the folder that the operator names", () => {
  it.each(WAY.flatMap((folder) => COMMANDS.map((command) => ({ folder, command }))))(
    "is refused where $folder is a link: $command",
    async ({ folder, command }) => {
      await replaced(
        folder,
        (path) => symlinkSync(TARGETS[folder] ?? "", path),
        async () => {
          const { code, stderr } = await checkout.remit("-C", PROD, ...command.split(" "));
          expect([code, stderr]).toEqual([1, expect.stringContaining("error[command/folder]")]);
          expect(stderr).toContain(`${PROD} leads through ${folder}, a symbolic link of the checkout`);
        },
      );
    },
  );

  it("is refused by its absolute path and through a link of the operator, too", async () => {
    symlinkSync(checkout.root, join(checkout.home, "operator"));
    await replaced(
      PROD,
      (path) => symlinkSync("dev", path),
      async () => {
        for (const folder of [at(PROD), join(checkout.home, "operator", PROD), `./org/../${PROD}`])
          expect((await checkout.remit("-C", folder, "config")).code).toBe(1);
      },
    );
    const through = await checkout.remit("-C", join(checkout.home, "operator", PROD), "config");
    expect([through.code, through.stdout]).toEqual([0, expect.stringMatching(/maxDeletes +0/)]);
  });

  it.each(WAY)(
    "is refused where the reviewed commit has %s as a link, a file or another repository",
    async (folder) => {
      const commit = checkout.git("rev-parse", "main");
      for (const entry of ["120000 blob", "100644 blob", "160000 commit"]) {
        const [mode = "", type] = entry.split(" ");
        checkout.git("read-tree", "main");
        checkout.git("rm", "-q", "-r", "--cached", folder);
        const hash = type === "blob" ? checkout.git("rev-parse", "main:remit.yaml") : commit;
        checkout.git("update-index", "--add", "--cacheinfo", `${mode},${hash},${folder}`);
        const tree = checkout.git("write-tree");
        checkout.git("read-tree", "main");
        const base = checkout.git("commit-tree", "-m", "base", tree);
        checkout.git("update-ref", "refs/heads/base", base);
        const { code, stderr } = await checkout.remit("-C", PROD, "plan", "--settings-from", "base");
        expect([entry, code, stderr]).toEqual([
          entry,
          5,
          expect.stringContaining("error[config/settings-from]"),
        ]);
        expect(stderr).toContain(`${folder} of that commit cannot be read`);
      }
    },
  );
});
