import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { runMarkOf } from "../../../src/cli/world/runMark.js";

const HERE = { pid: process.pid, host: "here" };
const { mark, isOver } = runMarkOf(HERE);

/** The mark of a process that runs, and that of the same process when it has ended. */
async function ended(): Promise<string> {
  const child = spawn("true", { stdio: "ignore" });
  const its = runMarkOf({ pid: child.pid ?? 0, host: "here" }).mark;
  await new Promise((over) => child.once("exit", over));
  return its;
}

describe("the mark of a run", () => {
  it("can be a part of the name of a file", () => expect(mark).toMatch(/^[\w.]+$/));

  it("is not over while its process runs, this one or another", () => {
    expect(isOver(mark)).toBe(false);
    expect(isOver(runMarkOf({ pid: process.ppid, host: "here" }).mark)).toBe(false);
  });

  it("is over when its process has ended", async () => {
    expect(isOver(await ended())).toBe(true);
  });

  it("is never over on another machine, whose processes cannot be seen here", async () => {
    expect(runMarkOf({ ...HERE, host: "elsewhere" }).isOver(await ended())).toBe(false);
  });

  it.skipIf(process.platform !== "linux")(
    "is over when its number is that of a process which started later",
    () => {
      const [number, start, place] = mark.split(".");
      expect(isOver(`${number}.${Number(start) - 1}.${place}`)).toBe(true);
    },
  );

  it.each(["", "7", "7.1", `${mark}.1`, "x.1.0a0b0c0d", "../../etc"])(
    "is not over where it is %j",
    (text) => {
      expect(isOver(text)).toBe(false);
    },
  );
});
