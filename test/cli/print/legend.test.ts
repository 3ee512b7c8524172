import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type OutputFlags, show } from "../../../src/cli/print/show.js";
import type { World } from "../../../src/cli/world/world.js";
import { SIGNS } from "../../../src/report/view/signs.js";
import { fakeClock } from "../../fakes/clock.js";
import { face } from "../../golden/harness.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "remit-legend-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const flags: OutputFlags = { format: "text", quiet: false, verbose: false };

interface Start {
  readonly isTerminal?: boolean;
  readonly hasSigns?: boolean;
  readonly format?: OutputFlags["format"];
  readonly env?: World["env"];
}

/** Whether the legend is printed with a result. */
async function explains(start: Start = {}): Promise<boolean> {
  const { isTerminal = true, hasSigns = true, format = "text", env = { XDG_STATE_HOME: folder } } = start;
  let legend = false;
  const printed: string[] = [];
  const output = { isTerminal, columns: 80, rows: 24, write: (text: string) => void printed.push(text) };
  const world: World = {
    stdin: { isTerminal, bytes: async () => new Uint8Array(), line: async () => "" },
    stdout: output,
    stderr: output,
    env,
    cwd: join(folder, "project"),
    clock: fakeClock(),
    random: () => 0.5,
    evaluate: (work) => ({ value: work(), milliseconds: 1 }),
    unique: () => "name",
    process: { pid: 1, host: "testhost", arch: "linux-x64", node: "v20.19.0" },
    onSignal: () => () => undefined,
    leave: (code) => {
      throw new Error(`left with ${code}`);
    },
  };
  const render = async (_format: string, options: { readonly legend: boolean }) => {
    legend = options.legend;
    return "Plan\n";
  };
  await show(world, { ...flags, format }, { render, hasSigns, exitCode: null });
  expect(printed).toEqual(["Plan\n"]);
  return legend;
}

test("the first plan that a terminal shows explains the symbols, and no other does", async () => {
  expect(await explains()).toBe(true);
  expect(await explains()).toBe(false);
  expect(statSync(join(folder, "remit", "shown.json")).mode & 0o777).toBe(0o600);
});

test("a result that explains nothing does not count as the first", async () => {
  expect(await explains({ hasSigns: false })).toBe(false);
  expect(await explains({ isTerminal: false })).toBe(false);
  expect(await explains({ format: "json" })).toBe(false);
  expect(await explains()).toBe(true);
});

test("nothing is remembered inside the project, and a user without a folder reads the legend again", async () => {
  const env = { XDG_STATE_HOME: join(folder, "project", "state") };
  expect([await explains({ env }), await explains({ env })]).toEqual([true, true]);
  expect([await explains({ env: {} }), await explains({ env: {} })]).toEqual([true, true]);
});

test("the help of plan explains every symbol", async () => {
  const help = await face(null, ["plan", "--help"]);
  for (const { sign } of Object.values(SIGNS)) if (sign !== " ") expect(help).toContain(` ${sign} `);
});
