import { appendFile, mkdtemp, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { journalFile, readJournalFile } from "../../src/state/file.js";
import { failure } from "../contracts/store.js";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "remit-journal-"));
  path = join(folder, "journal.jsonl");
});
afterEach(() => rm(folder, { recursive: true }));

const place = () => ({ path, name: "journal.jsonl" });
const openJournal = () => journalFile(place(), async () => undefined);
const lines = () => readJournalFile(place());

describe("a journal in a file", () => {
  it("makes no file before a line is written", async () => {
    await openJournal().close();
    expect(await lines()).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("has an appended line in the file when the append resolves, for its owner alone", async () => {
    const journal = openJournal();
    await journal.append(["one"], true);
    expect(await readFile(path, "utf8")).toBe("one\n");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await journal.close();
  });

  it("leaves out a last line that was cut off, and goes on without it", async () => {
    const first = openJournal();
    await first.append(["one"], true);
    await first.close();
    await appendFile(path, "tw");
    expect(await lines()).toEqual(["one"]);
    const second = openJournal();
    await second.append(["three"], true);
    expect(await lines()).toEqual(["one", "three"]);
    await second.close();
  });

  it("leaves no file when it is cleared", async () => {
    const journal = openJournal();
    await journal.append(["one"], true);
    await journal.clear();
    expect(await readdir(folder)).toEqual([]);
  });

  it("is never written through a link", async () => {
    await symlink(join(folder, "victim"), path);
    const journal = openJournal();
    expect((await failure(journal.append(["one"], true))).diagnostic.code).toBe("state/unwritable");
    await journal.close();
    expect(await readdir(folder)).toEqual(["journal.jsonl"]);
  });

  it.skipIf(process.platform !== "linux")("reports a full disk, as a thing that may pass", async () => {
    const journal = journalFile({ path: "/dev/full", name: "journal.jsonl" }, async () => undefined);
    const { diagnostic, refusal } = await failure(journal.append(["one"], true));
    expect(diagnostic.code).toBe("state/unwritable");
    expect(diagnostic.message).toBe("journal.jsonl could not be written: the disk is full (ENOSPC)");
    expect(refusal).toBe("again");
    await journal.close();
  });
});
