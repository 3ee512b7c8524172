import { expect, it } from "vitest";
import type { Event } from "../../../src/apply/event.js";
import { viewFor } from "../../../src/cli/print/viewer/viewer.js";
import type { World } from "../../../src/cli/world/world.js";

it("a log says at once that the store is away, also late in a long apply", async () => {
  let now = 0;
  const lines: string[] = [];
  const stderr = { isTerminal: false, write: (text: string) => lines.push(text) };
  const world = { stderr, env: {}, clock: { elapsed: () => now } } as unknown as World;
  const view = await viewFor(world, { json: false, quiet: false, verbose: false });
  const wait = (milliseconds: number): Event => ({
    type: "store waits",
    as: "away",
    milliseconds,
    why: "the bucket does not answer",
  });
  view.hear({ type: "run started", run: "one", plan: "sha256:1", steps: 9, calls: 9 } as Event);
  now = 3_600_000;
  view.hear({ type: "throttled", width: 1, milliseconds: 1 } as Event);
  expect(lines.splice(0)).toHaveLength(1);
  now += 500;
  view.hear(wait(300_000));
  expect(lines.splice(0)).toEqual([
    expect.stringContaining("the state cannot be written, trying for 300 s more"),
  ]);
  now += 500;
  view.hear(wait(299_500));
  expect(lines).toEqual([]);
});
