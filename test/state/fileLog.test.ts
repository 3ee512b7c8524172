import { appendFile, mkdtemp, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileLog } from "../../src/state/fileLog.js";
import { failure } from "../contracts/backend.js";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "remit-log-"));
  path = join(folder, "kept", "journal.jsonl");
});
afterEach(() => rm(folder, { recursive: true }));

const openLog = () => fileLog({ path, name: "journal.jsonl" });

describe("a log in a file", () => {
  it("has no lines before one was written, and makes no file for that", async () => {
    expect(await openLog().read()).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("has an appended line on the disk when the append resolves, for its owner alone", async () => {
    const log = openLog();
    await log.append("one");
    expect(await readFile(path, "utf8")).toBe("one\n");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await log.close();
  });

  it("keeps the order of lines, noted and appended, of many writers", async () => {
    const log = openLog();
    const wanted = Array.from({ length: 300 }, (_, place) => `line ${place}`);
    await Promise.all(wanted.map((line, place) => (place % 3 === 0 ? log.note(line) : log.append(line))));
    expect(await log.read()).toEqual(wanted);
    await log.close();
  });

  it("has what was noted when it is closed", async () => {
    const log = openLog();
    log.note("one");
    await log.close();
    expect(await openLog().read()).toEqual(["one"]);
  });

  it("leaves out a last line that was cut off, and begins after it on a new one", async () => {
    const first = openLog();
    await first.append("one");
    await first.close();
    await appendFile(path, "tw");
    expect(await openLog().read()).toEqual(["one"]);
    const second = openLog();
    await second.append("three");
    expect(await second.read()).toEqual(["one", "tw", "three"]);
    await second.close();
  });

  it("is gone when cleared, and can be begun again", async () => {
    const log = openLog();
    await log.append("one");
    await log.clear();
    expect(await readdir(join(folder, "kept"))).toEqual([]);
    await log.append("two");
    expect(await log.read()).toEqual(["two"]);
    await log.close();
  });

  it("of a run that lost its lock does not remove the one of the run that took it", async () => {
    const slept = openLog();
    await slept.append("one");
    const next = openLog();
    await next.clear();
    await next.append("two");
    await slept.append("three");
    await slept.clear();
    expect(await next.read()).toEqual(["two"]);
    await next.close();
  });

  it.skipIf(process.platform !== "linux")(
    "says that the disk is full, to all who wait and all who come later",
    async () => {
      const log = fileLog({ path: join(folder, "journal.jsonl"), name: "journal.jsonl" });
      await symlink("/dev/full", join(folder, "journal.jsonl"));
      const faults = await Promise.all([failure(log.append("one")), failure(log.append("two"))]);
      faults.push(await failure(log.append("three")));
      for (const { diagnostic } of faults) {
        expect(diagnostic.code).toBe("state/unwritable");
        expect(diagnostic.message).toBe("journal.jsonl could not be written: the disk is full (ENOSPC)");
      }
      await log.close();
    },
  );
});
