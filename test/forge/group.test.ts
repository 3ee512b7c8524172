import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Forge, PullRequest } from "../../src/forge/forge.js";
import { groupDiagnostics, trainDiagnostics } from "../../src/forge/group.js";
import { commentText } from "../../src/forge/post.js";
import {
  changedSteps,
  reviewedSteps,
  STEPS_ROOM,
  stepsIn,
  stepsLine,
} from "../../src/forge/reviewedSteps.js";
import { effectOfSteps } from "../../src/plan/saved/effect.js";
import { cases } from "../fakes/cases.js";

const [NAME, SERVER] = ["infra@tenant", "https://tenant.example"];
const BOT = { id: 7, login: "bot" };
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
type Steps = ReadonlyMap<string, string>;
/** Steps by their numbers; a step of another version does something else to the same object. */
const stepsOf = (numbers: Iterable<number>, version = 1): Steps =>
  new Map(
    [...numbers].map((number) => [
      `EntitlementAutomation/object-${number} app/${number}`,
      hashOf(`${number} ${version}`),
    ]),
  );
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => from + place);
const effectIn = (steps: Steps) => effectOfSteps(SERVER, [...steps.values()]);

/** What a comment contains of the steps: as remit writes it, in so much room, or something else. */
type Listing = "all" | "marks" | "none" | Steps;
interface Reviewed {
  readonly steps: Steps;
  readonly listing: Listing;
}

function bodyOf({ steps, listing }: Reviewed): string {
  if (listing === "none") return "<!-- remit:plan x -->\n";
  const shown = typeof listing === "string" ? steps : listing;
  const whole = stepsLine(NAME, shown, Number.POSITIVE_INFINITY);
  const room = listing === "marks" ? whole.length - 1 : whole.length;
  return `<!-- remit:plan x -->\n${stepsLine(NAME, shown, room)}\n`;
}

/** A forge with a reviewed pull request for each: its number is its place, from 1. */
function forgeOf(pulls: readonly Reviewed[]) {
  const pull = (number: number): PullRequest => ({
    number,
    head: { commit: `head-${number}`, branch: "b", repository: "acme/infra" },
    base: "main",
    isFromFork: false,
    isOpen: true,
    mergeCommit: null,
  });
  const at = (commit: string) => Number(/\d+$/.exec(commit)?.[0]);
  return {
    account: async () => BOT,
    pullRequest: async (number: number) => pull(number),
    openWith: async (commit: string) => [pull(at(commit))],
    statuses: async (commit: string) => {
      const steps = pulls[at(commit) - 1]?.steps ?? new Map();
      const description = `${effectIn(steps)} Plan`;
      return [{ context: `remit/plan ${NAME}`, description, isSuccess: true, author: BOT }];
    },
    comments: async (number: number) => {
      const reviewed = pulls[number - 1];
      return reviewed === undefined ? [] : [{ id: 1, author: BOT, body: bodyOf(reviewed) }];
    },
  } as unknown as Forge;
}

async function judged(pulls: readonly Reviewed[], steps: Steps) {
  const commits = pulls.map((_, place) => ({ commit: `head-${place + 1}`, merged: null }));
  const found = await groupDiagnostics(forgeOf(pulls), commits, { name: NAME, server: SERVER, steps });
  return found.map(({ message }) => message);
}
const joined = (...parts: readonly Steps[]): Steps => new Map(parts.flatMap((part) => [...part]));

describe("a merge queue's group", () => {
  it("passes with more steps than a comment can list, and names what differs", async () => {
    const [small, large] = [stepsOf(range(0, 10)), stepsOf(range(10, 800))];
    const body = commentText({
      about: "plan",
      names: [NAME],
      text: "",
      line: "",
      steps: new Map([[NAME, large]]),
      escaped: (text) => text,
    }).body(null);
    expect(stepsIn(body, NAME)).toMatchObject({ as: "marks" });
    expect(stepsLine(NAME, large, STEPS_ROOM).length).toBeLessThanOrEqual(STEPS_ROOM);
    const pulls = [
      { steps: small, listing: "all" },
      { steps: large, listing: "marks" },
    ] as const;
    expect(await judged(pulls, joined(small, large))).toEqual([]);
    expect(await judged(pulls, joined(small, large, stepsOf([5], 2)))).toEqual([
      "the plan of the group is not what its pull requests approved: EntitlementAutomation/object-5 app/5",
    ]);
    expect(await judged(pulls, joined(small, large, stepsOf([5000])))).toHaveLength(1);
  });

  it("needs no list of one of its pull requests, of any size, and of two it does", async () => {
    const [one, other] = [stepsOf(range(0, 3000)), stepsOf(range(3000, 6000))];
    const unlisted = (steps: Steps): Reviewed => ({ steps, listing: "none" });
    expect(await judged([unlisted(one)], one)).toEqual([]);
    expect(await judged([unlisted(one), { steps: other, listing: "all" }], joined(one, other))).toEqual([]);
    expect(await judged([unlisted(one), unlisted(other)], joined(one, other))).toEqual([
      "the approved steps of #1 and #2 are not known",
    ]);
    expect(await judged([unlisted(one)], joined(one, stepsOf([3001])))).toEqual([
      expect.stringContaining("something else than #1 was approved with"),
    ]);
  });

  it("reads no comment of a pull request whose approved plan does nothing", async () => {
    const comments = async () => Promise.reject(new Error("a comment is read"));
    const forge = { ...forgeOf([{ steps: stepsOf([]), listing: "none" }]), comments };
    const plan = { name: NAME, server: SERVER, steps: stepsOf([]) };
    expect(await groupDiagnostics(forge, [{ commit: "head-1", merged: null }], plan)).toEqual([]);
  });

  it("never passes with a plan that was not reviewed, whatever the comments list", async () => {
    const numbers = fc.uniqueArray(fc.nat(12), { maxLength: 6 });
    const some = fc.tuple(numbers, fc.constantFrom(1, 2)).map(([all, version]) => stepsOf(all, version));
    const listing = fc.oneof(fc.constantFrom("all", "marks", "none"), some);
    const pulls = fc.array(fc.record({ steps: some, listing }), { minLength: 1, maxLength: 3 });
    // What the group does: exactly what was reviewed, less, more, or something else.
    const tamper = fc.option(fc.tuple(fc.nat(12), fc.constantFrom("gone", "other", 1, 2)), { freq: 2 });
    await fc.assert(
      fc.asyncProperty(pulls, tamper, async (reviewed, change) => {
        const approved = joined(...reviewed.map(({ steps }) => steps));
        const steps = new Map(approved);
        const [name = ""] = change === null ? [] : stepsOf([change[0]]).keys();
        if (change?.[1] === "gone") steps.delete(name);
        if (change?.[1] === 1 || change?.[1] === 2)
          for (const [step, hash] of stepsOf([change[0]], change[1])) steps.set(step, hash);
        if (change?.[1] === "other") steps.set(name, hashOf("not reviewed"));
        const isReviewed = effectIn(steps) === effectIn(approved);
        const found = await judged(reviewed, steps);
        if (!isReviewed) expect(found).not.toEqual([]);
        // Where every list is as remit wrote it, and no two changes touch one object, it also passes.
        const all = reviewed.flatMap((one) => [...one.steps.keys()]);
        const isListed = reviewed.filter(({ listing }) => listing !== "all" && listing !== "marks").length;
        if (isReviewed && isListed <= 1 && new Set(all).size === all.length && reviewed.every(isHonest))
          expect(found).toEqual([]);
      }),
      { numRuns: cases(100) },
    );
  });
  const isHonest = ({ listing }: Reviewed) => typeof listing === "string";
});

describe("the reviewed steps of a plan", () => {
  it("are those of the comment with the approved effect, where an earlier one is about other projects, too", async () => {
    const [old, now] = [stepsOf(range(1, 4)), stepsOf(range(1, 4), 2)];
    const bodies = [bodyOf({ steps: old, listing: "all" }), bodyOf({ steps: now, listing: "all" })];
    for (const comments of [bodies, bodies.toReversed()]) {
      const forge = {
        ...forgeOf([{ steps: now, listing: "all" }]),
        comments: async () => comments.map((body, id) => ({ id, author: BOT, body })),
      } as unknown as Forge;
      const found = await reviewedSteps(forge, 1, { name: NAME, server: SERVER, effect: effectIn(now) });
      expect(found).toEqual({ as: "steps", steps: now });
      const other = { name: NAME, server: SERVER, effect: "sha256:other" };
      expect(await reviewedSteps(forge, 1, other)).toBeNull();
    }
  });
});

describe("a merge train", () => {
  it("passes where the plan of its merge request is what was reviewed, and says how to plan otherwise", async () => {
    const steps = stepsOf(range(0, 5));
    const forge = forgeOf([{ steps, listing: "all" }]);
    const plan = { name: NAME, server: SERVER, steps };
    expect(await trainDiagnostics(forge, 1, plan)).toEqual([]);
    const [refused] = await trainDiagnostics(forge, 1, { ...plan, steps: joined(steps, stepsOf([9])) });
    expect(refused).toMatchObject({
      code: "approved/other-group",
      message: expect.stringContaining("object-9"),
      hint: expect.stringContaining("CI_MERGE_REQUEST_TARGET_BRANCH_SHA"),
    });
  });
});

describe("what changed since a review that lists marks", () => {
  it("names the steps of now, and counts those that are gone", () => {
    const before = stepsOf(range(0, 300));
    const listed = stepsIn(stepsLine(NAME, before, STEPS_ROOM), NAME);
    expect(listed?.as).toBe("marks");
    const now = joined(stepsOf(range(1, 300)), stepsOf([7], 2), stepsOf([900]));
    expect(listed === null ? null : changedSteps(listed, now)).toEqual({
      changed: [],
      added: [],
      gone: [],
      other: ["EntitlementAutomation/object-7 app/7", "EntitlementAutomation/object-900 app/900"],
      lost: 2,
    });
  });
});
