import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeScratch, type Scratch } from "../../../src/state/git/scratch.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "remit-scratch-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const user = process.getuid?.() ?? null;
const scratch = (more: Partial<Scratch> = {}): Scratch => ({
  folder,
  user,
  mark: "live.1",
  isOver: (mark) => mark.startsWith("dead"),
  ...more,
});

/** A folder as a run leaves it that was killed; its path. */
function left(name: string, mode = 0o700): string {
  const path = join(folder, name);
  mkdirSync(join(path, "objects", "00"), { recursive: true });
  writeFileSync(join(path, "objects", "00", "one"), "", { mode: 0o400 });
  chmodSync(path, mode);
  return path;
}

describe("the folder of a temporary repository", () => {
  it("is open to its user alone, and names its run", async () => {
    const made = await makeScratch(scratch());
    expect(made).toMatch(/remit-state-live\.1-\w{6}$/);
    expect(statSync(made).mode & 0o777).toBe(0o700);
  });

  it("is removed with all that is in it by a later run, once its run has ended", async () => {
    const dead = [left("remit-state-dead.1-aaaaaa"), left("remit-state-dead.2-bbbbbb")];
    const made = await makeScratch(scratch());
    expect(dead.filter((path) => existsSync(path))).toEqual([]);
    expect(existsSync(made)).toBe(true);
  });

  it.each([
    ["of a run that may be alive", "remit-state-live.2-aaaaaa"],
    ["of this run", "remit-state-live.1-aaaaaa"],
    ["of an unknown run", "remit-state-aaaaaa"],
    ["of another program", "other-state-dead.1-aaaaaa"],
    ["that has another name beside it", "remit-state-dead.1-aaaaaa.bak"],
  ])("stays where it is that %s", async (_, name) => {
    const path = left(name);
    await makeScratch(scratch());
    expect(existsSync(join(path, "objects", "00", "one"))).toBe(true);
  });

  it("is not followed where it is a link", async () => {
    const precious = left("precious");
    symlinkSync(precious, join(folder, "remit-state-dead.1-aaaaaa"));
    symlinkSync(precious, join(left("remit-state-dead.1-bbbbbb"), "link"));
    await makeScratch(scratch());
    expect(existsSync(join(precious, "objects", "00", "one"))).toBe(true);
    expect(existsSync(join(folder, "remit-state-dead.1-bbbbbb"))).toBe(false);
  });

  it.skipIf(user === null)("stays where it is another user's, or others may open it", async () => {
    const [own, open] = [left("remit-state-dead.1-aaaaaa"), left("remit-state-dead.1-bbbbbb", 0o755)];
    await makeScratch(scratch());
    expect([existsSync(own), existsSync(open)]).toEqual([false, true]);
    const other = left("remit-state-dead.1-cccccc");
    chmodSync(folder, 0o1777);
    await makeScratch(scratch({ user: (user ?? 0) + 1 })).catch(() => undefined);
    expect(existsSync(other)).toBe(true);
  });

  it.skipIf(user === null)("stays where other users could put something in its place", async () => {
    const path = left("remit-state-dead.1-aaaaaa");
    chmodSync(folder, 0o777);
    await makeScratch(scratch());
    expect(existsSync(path)).toBe(true);
    chmodSync(folder, 0o1777);
    await makeScratch(scratch());
    expect(existsSync(path)).toBe(false);
  });

  it("is made also where the ones before it cannot be listed", async () => {
    const failing = scratch({
      isOver: () => {
        throw new Error("no list");
      },
    });
    left("remit-state-dead.1-aaaaaa");
    expect(existsSync(await makeScratch(failing))).toBe(true);
  });
});
