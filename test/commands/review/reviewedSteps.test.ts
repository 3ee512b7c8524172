import { describe, expect, it } from "vitest";
import { commentText } from "../../../src/commands/review/post.js";
import {
  changedSteps,
  reviewedSteps,
  STEPS_ROOM,
  type StepHashes,
  stepsIn,
  stepsLine,
} from "../../../src/commands/review/reviewedSteps.js";
import type { Forge } from "../../../src/forge/forge.js";
import { effectOfSteps } from "../../../src/plan/saved/effect.js";
import { fingerprint } from "../../../src/plan/saved/spelling.js";

const [NAME, SERVER] = ["infra@acme", "https://acme.example"];
const BOT = { id: 7, login: "bot" };
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
const stepsOf = (numbers: readonly number[], version = 1): StepHashes =>
  new Map(
    numbers.map((n) => [
      `EntitlementAutomation/object-${n} app/${n}`,
      fingerprint({ n, version }).slice(-64),
    ]),
  );
const effectIn = (steps: StepHashes) => effectOfSteps(SERVER, [...steps.values()]);
const bodyOf = (steps: StepHashes) => {
  const about = { about: "plan", names: [NAME], text: "", line: "", escaped: String } as const;
  return commentText({ ...about, steps: new Map([[NAME, steps]]) }).body(null);
};

describe("the reviewed steps of a plan", () => {
  it("are those of the comment with the approved effect, where an earlier one is about other projects, too", async () => {
    const [old, now] = [stepsOf(range(1, 4)), stepsOf(range(1, 4), 2)];
    const bodies = [bodyOf(old), bodyOf(now)];
    for (const comments of [bodies, bodies.toReversed()]) {
      const forge = {
        account: async () => BOT,
        comments: async () => comments.map((body, id) => ({ id, author: BOT, body })),
      } as unknown as Forge;
      const found = await reviewedSteps(forge, 1, { name: NAME, server: SERVER, effect: effectIn(now) });
      expect(found).toEqual({ as: "steps", steps: now });
      const other = { name: NAME, server: SERVER, effect: "sha256:other" };
      expect(await reviewedSteps(forge, 1, other)).toBeNull();
    }
  });

  it("are marks in a large plan, which name the steps of now and count those that are gone", () => {
    const before = stepsOf(range(10, 800));
    const listed = stepsIn(stepsLine(NAME, before, STEPS_ROOM), NAME);
    expect(listed?.as).toBe("marks");
    const now = new Map([...stepsOf(range(11, 800)), ...stepsOf([17], 2), ...stepsOf([900])]);
    expect(listed === null ? null : changedSteps(listed, now)).toEqual({
      changed: [],
      added: [],
      gone: [],
      other: ["EntitlementAutomation/object-17 app/17", "EntitlementAutomation/object-900 app/900"],
      lost: 2,
    });
  });
});
