import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { enterFolder } from "../../src/bin/main.js";
import { processWorld } from "../../src/cli/world/process.js";

const home = realpathSync(mkdtempSync(join(tmpdir(), "remit-folder-")));
mkdirSync(join(home, "a", "b"), { recursive: true });
symlinkSync(join(home, "a"), join(home, "link"));
writeFileSync(join(home, "file"), "");
afterAll(() => rmSync(home, { recursive: true }));

const world = { ...processWorld(), cwd: home };

async function entered(...argv: readonly string[]) {
  const moved = await enterFolder(argv, world);
  return "refusal" in moved ? moved.refusal.split("\n")[0] : [moved.world.cwd, ...moved.argv];
}

it.each<[string, readonly string[], unknown]>([
  ["none is named", ["plan"], [home, "plan"]],
  ["before the command", ["-C", "a", "plan", "-v"], [join(home, "a"), "plan", "-v"]],
  ["after the command", ["plan", "-C", "a", "-v"], [join(home, "a"), "plan", "-v"]],
  ["twice, the second from the first", ["-C", "a", "-C", "b", "plan"], [join(home, "a", "b"), "plan"]],
  ["a link outside of a checkout is followed", ["-C", "link", "plan"], [join(home, "a"), "plan"]],
  ["after -- it is an argument", ["plan", "--", "-C", "a"], [home, "plan", "--", "-C", "a"]],
  ["a file", ["-C", "file", "plan"], "error[command/folder]: file is not a folder"],
  [
    "nothing",
    ["-C", "gone", "plan"],
    "error[command/folder]: remit cannot enter gone: the file does not exist",
  ],
  ["no name", ["plan", "-C"], "error[command/folder]: -C needs a folder"],
])("-C: %s", async (_, argv, result) => {
  expect(await entered(...argv)).toEqual(result);
});
