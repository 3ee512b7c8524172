import { describe, expect, it } from "vitest";
import { listenForInterrupts } from "../../../src/cli/world/interrupts.js";
import { processWorld } from "../../../src/cli/world/process.js";
import type { Signal, World } from "../../../src/cli/world/world.js";

describe("an interrupt", () => {
  it("stops the run at first, leaves at the second, says what may be unsettled, and names the rescue file", () => {
    const said: string[] = [];
    let send: (signal: Signal) => void = () => undefined;
    let left: number | null = null;
    const world: World = {
      ...processWorld(),
      stderr: { isTerminal: false, columns: 80, rows: 24, write: (text) => said.push(text) },
      onSignal: (listener) => {
        send = listener;
        return () => undefined;
      },
      leave: (code) => {
        left = code;
        return undefined as never;
      },
    };
    const view = { say: (text: string) => said.push(text), end: () => said.push("(the view ends)") };
    const { first, signal } = listenForInterrupts(
      world,
      view,
      () => 2,
      () => "/home/rescue-1.json",
    );
    send("SIGTERM");
    expect([first.aborted, first.reason, signal(), left]).toEqual([true, "SIGTERM", "SIGTERM", null]);
    send("SIGTERM");
    expect(left).toBe(143);
    expect(said.slice(-3)).toEqual([
      "(the view ends)",
      expect.stringContaining("Left with 2 under way"),
      "/home/rescue-1.json\n",
    ]);
  });
});
