import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bundleCommand, type Command } from "../fakes/command.js";
import { runInside, type Surroundings } from "../fakes/inside.js";
import { LARKSPUR } from "../golden/larkspur.js";
import { openTerminal, type Start, type Terminal } from "./terminal.js";

let command: Command;
let cwd: string;

beforeAll(async () => {
  command = await bundleCommand();
});
afterAll(() => command.close());
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "remit-terminal-"));
  cpSync(LARKSPUR, cwd, { recursive: true });
  slow(120);
});
afterEach(() => rmSync(cwd, { recursive: true }));

/** Every answer is kept back so long. */
function slow(milliseconds: number): void {
  const file = join(cwd, "remit.yaml");
  const text = readFileSync(join(LARKSPUR, "remit.yaml"), "utf8");
  writeFileSync(file, text.replace("seed.yaml }", `seed.yaml, faults: "latency=${milliseconds}" }`));
}

function open(argv: readonly string[], start: Partial<Start> = {}): Terminal {
  return openTerminal(process.execPath, [command.file, ...argv], { cwd, ...start });
}

/** The same inside this process: for what a terminal of a size is shown without a key typed. */
async function shown(argv: readonly string[], more: Partial<Surroundings> = {}) {
  const env = { TERM: "xterm-256color", LANG: "C.UTF-8", HOME: cwd, ...more.env };
  const seen = await runInside(argv, { cwd, terminal: { columns: 80, rows: 24 }, ...more, env });
  return { code: seen.code, text: seen.stdout + seen.stderr };
}

/** What a terminal draws over: a view that is drawn anew. */
const REDRAWN = "\u001b[2K";
const RUNNING = "›\u001b[39m create ";
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: escapes are what is looked at
const FRAME = /\u001b\[\?2026h(.*?)\u001b\[\?2026l/gs;
const ESCAPES = /\u001b\[[0-9;?]*[a-zA-Z]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: escapes are what is looked at
const HIDDEN_CURSOR = "\u001b[?25l";

describe("a plan in a terminal", () => {
  test("shows the steps first, and what they mean for people once that is counted", async () => {
    slow(250);
    appendFileSync(
      join(cwd, "seed.yaml"),
      `users:
  - { name: Ana Ruiz, email: ana@x.test, department: Engineering }
  - { name: Di Lind, email: di@x.test, department: Engineering, fields: { employmentType: Employee } }
members: [{ entitlement: C1/c1-engineering-member, departments: [Engineering] }]
`,
    );
    const terminal = open(["plan"]);
    await terminal.until("EntitlementAutomation/engineering");
    await terminal.until("manifests/groups.yaml");
    expect(terminal.seen()).not.toContain("people:");
    await terminal.until("What this means for people");
    await terminal.until("people: 0 gain it, at most 1 lose it (Ana Ruiz)");
    expect(await terminal.ended).toBe(0);
    expect(terminal.seen().match(/cel\.expression/g)?.length).toBe(2);
    expect(terminal.seen()).toMatch(/Plan: [^\n]*\r\n$/);
  });

  test("says once that a selector selects nothing", async () => {
    slow(0);
    const { code, text } = await shown(["plan", "-l", "team=nowhere"]);
    expect(code).toBe(0);
    expect(text.match(/plan\/idle-selector/g)).toHaveLength(1);
    expect(text).toContain("Nothing is planned.");
  });

  test("says in one line that nothing was changed, where Ctrl-C ends its reads", async () => {
    slow(2000);
    const terminal = open(["plan"]);
    await terminal.until("Reading");
    terminal.pty.write("\u0003");
    expect(await terminal.ended).toBe(130);
    const lines = terminal
      .seen()
      .replace(ESCAPES, "")
      .split(/[\r\n]+/);
    const last = lines.filter((line) => line.trim() !== "").at(-1) ?? "";
    expect(last).toBe("Interrupted. Nothing was changed in the tenant.");
  });
});

describe("an apply in a terminal", () => {
  test("asks, shows what runs, and ends with what came of it", async () => {
    slow(250);
    const terminal = open(["apply"]);
    await terminal.until(/Reading \d+ of \d+/);
    await terminal.until('Type "yes" to apply: ');
    terminal.pty.write("yes\r");
    await terminal.until(RUNNING);
    await terminal.until(/[█░]+.* of 4 steps/);
    await terminal.until(/[1-3] of 4 steps, \d+\.\d\/s, \d+ s left/);
    expect(await terminal.ended).toBe(0);
    expect(terminal.seen()).toContain(REDRAWN);
    expect(terminal.seen()).not.toContain(HIDDEN_CURSOR);
    expect(terminal.seen()).toMatch(/Applied: 2 created, 2 updated\.[^\n]*\r\n$/);
  });

  test("does nothing for another answer than yes", async () => {
    const { code, text } = await shown(["apply"], { answer: "y" });
    expect(code).toBe(4);
    expect(text).toContain("Nothing was applied.");
  });

  test.each([
    ["a whole line", "yes\r"],
    ["the beginning of one", "ye"],
  ])("does not read what was typed before the question: %s", async (_, typed) => {
    const terminal = open(["apply"]);
    await terminal.until(/Reading \d+ of \d+/);
    terminal.pty.write(typed);
    await terminal.until('Type "yes" to apply: ');
    terminal.pty.write(typed === "ye" ? "s\r" : "\r");
    expect(await terminal.ended).toBe(4);
    expect(terminal.seen()).toContain("Nothing was applied.");
  });

  test("leaves at the question on Ctrl-C, with nothing applied", async () => {
    const terminal = open(["apply"]);
    await terminal.until('Type "yes" to apply: ');
    terminal.pty.write("\u0003");
    expect(await terminal.ended).toBe(130);
    expect(terminal.seen()).toContain("Nothing was changed in the tenant.");
    expect(terminal.seen()).not.toContain("Applied");
  });

  test("finishes what is under way on Ctrl-C, and exits 130", async () => {
    const terminal = open(["apply", "--yes"]);
    await terminal.until(RUNNING);
    terminal.pty.write("\u0003");
    await terminal.until("Stopping: the calls in flight finish");
    expect(await terminal.ended).toBe(130);
    expect(terminal.seen()).toContain("not started (Ctrl-C)");
    expect(terminal.seen()).not.toContain(HIDDEN_CURSOR);
  });

  test("leaves at once on the second Ctrl-C, and says what may be unsettled", async () => {
    slow(600);
    const terminal = open(["apply", "--yes", "--target", "ResourceType/on-call-rotation"]);
    await terminal.until(RUNNING);
    terminal.pty.write("\u0003");
    await terminal.until("Stopping: the calls in flight finish");
    terminal.pty.write("\u0003");
    expect(await terminal.ended).toBe(130);
    expect(terminal.seen()).toMatch(/Left\. Nothing was under way|Left with 1 under way/);
  });

  test("keeps every frame within a small terminal", async () => {
    const { code, text } = await shown(["apply", "--yes"], { terminal: { columns: 40, rows: 6 } });
    expect(code).toBe(0);
    const frames = [...text.matchAll(FRAME)].map(([, frame = ""]) => frame.replace(ESCAPES, ""));
    expect(frames.length).toBeGreaterThan(3);
    for (const frame of frames) {
      const lines = frame.split("\n");
      expect(lines.length).toBeLessThanOrEqual(6);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
    }
  });

  test("draws nothing with -q", async () => {
    const { code, text } = await shown(["apply", "--yes", "-q"]);
    expect(code).toBe(0);
    expect(text).not.toContain(REDRAWN);
    expect(text).toContain("Applied: ");
  });

  test.each<[string, Record<string, string>, string[]]>([
    ["of a pipeline", { CI: "true" }, ["--settings-from", "./remit.yaml"]],
    ["that cannot be drawn on", { TERM: "dumb" }, []],
    ["with a line for every call", {}, ["-v"]],
  ])("draws nothing anew in a terminal %s", async (_, env, flags) => {
    const { code, text } = await shown(["apply", "--yes", ...flags], { env });
    expect(code).toBe(0);
    expect(text).not.toContain(REDRAWN);
    expect(text).not.toContain("\u001b[K");
  });
});

describe("an apply in a pipe", () => {
  test("tells where it stands in lines, not more than one a second", async () => {
    slow(250);
    const began = performance.now();
    const { code, stdout, stderr } = await command.run(["apply", "--yes"], { cwd, env: { CI: "" } });
    const seconds = (performance.now() - began) / 1000;
    expect(code).toBe(0);
    expect(stdout).toMatch(/Applied: .*\n$/);
    const lines = stderr.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(seconds);
    for (const line of lines) expect(line).toMatch(/^\d of 4 steps/);
    expect(stdout + stderr).not.toContain("\u001b");
  });

  test("says nothing but the result with -q, and nothing but events with --json", async () => {
    slow(0);
    const streamed = await runInside(["apply", "--yes", "--json"], { cwd, env: {} });
    const types = streamed.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).type);
    expect([types[0], types.at(-1), streamed.stderr]).toEqual(["run started", "run finished", ""]);
    const quiet = await runInside(["apply", "--yes", "-q"], { cwd, env: {} });
    expect([quiet.stdout, quiet.stderr]).toEqual(["Nothing to do: 4 unchanged.\n", ""]);
  });
});
