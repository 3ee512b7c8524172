import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInside } from "../fakes/inside.js";

let cwd: string;
let saved: string;
beforeAll(async () => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "remit-plans-")));
  cpSync("examples/quickstart", cwd, { recursive: true });
  await run("plan", "--out", "plan.json");
  saved = readFileSync(join(cwd, "plan.json"), "utf8");
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const run = (...argv: readonly string[]) => runInside(argv, { cwd, env: { HOME: cwd } });
const DEEP = 200_000;

describe("a plan.json that does not hold a plan is refused with a reason, and without waiting:", () => {
  const write = (text: string | Buffer) => (path: string) => writeFileSync(path, text);
  it.each<[string, (path: string) => void, string]>([
    ["a device", (path) => symlinkSync("/dev/zero", path), "it is not a file"],
    ["a folder", (path) => mkdirSync(path), "it is a folder"],
    ["a fifo", (path) => execFileSync("mkfifo", [path]), "it is not a file"],
    ["a link to nowhere", (path) => symlinkSync("nowhere", path), "does not exist"],
    ["empty", write(""), "it is empty"],
    ["blank", write(" \n"), "it is blank"],
    ["with a byte order mark", (path) => writeFileSync(path, `\ufeff${saved}`), "byte order mark"],
    ["truncated", (path) => writeFileSync(path, saved.slice(0, -100)), "it breaks off"],
    ["binary", write(Buffer.from([0, 255, 254, 0])), "it is not JSON"],
    ["nested without end", write(`{"plan":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`), "nests too deep"],
    [
      "a plan that is nested without end",
      (path) =>
        writeFileSync(
          path,
          saved.replace('"before":null', `"before":{"x":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`),
        ),
      "nests too deep",
    ],
  ])("%s", async (_, make, why) => {
    const path = join(cwd, "other.json");
    make(path);
    for (const argv of [
      ["show", "other.json"],
      ["apply", "--yes", "other.json"],
    ]) {
      const { code, stdout, stderr } = await run(...argv);
      expect([code, stdout]).toEqual([4, ""]);
      expect(stderr).toMatch(/error\[plan\/\w+/);
      expect(stderr.replace(/\s+/g, " ")).toContain(why);
    }
    rmSync(path, { recursive: true });
  });
});
