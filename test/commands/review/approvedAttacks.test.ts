import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { approvedMerges } from "../../../src/commands/review/merges.js";
import { contextOf, effectsIn, judgeApprovals, statusText } from "../../../src/commands/review/review.js";
import type { ForgeName } from "../../../src/forge/forge.js";
import { cases } from "../../fakes/cases.js";
import { connectTo, pipelineOf } from "../../forge/connect.js";
import { BOT, OTHER, PULL, REPOSITORY, type StandInUser, startStandIn } from "../../forge/standIn.js";

const NAME = "infra@acme.example";
const CONTEXT = contextOf("plan", NAME);
const ACCOUNT = { id: BOT.id, login: BOT.login };
const [ANN, BEN] = ["ann", "ben"].map((login, at) => ({ ...OTHER, id: 50 + at, login })) as [
  StandInUser,
  StandInUser,
];
const sha = (number: number) => number.toString(16).padStart(40, "c");
/** What a plan does depends on what the branch says and on what the base has by then. */
const effectOf = (content: number, base: number) =>
  `sha256:${(content * 4 + base + 1).toString(16).padStart(64, "0")}`;

type Event =
  | { readonly as: "push" | "move base"; readonly to: number }
  /** A job plans; one that races looks at the history before the others write. */
  | { readonly as: "plan"; readonly races: boolean; readonly isOpen: boolean }
  | { readonly as: "run without an effect" }
  | { readonly as: "forge a status"; readonly effect: number }
  | { readonly as: "approve" | "withdraw"; readonly by: 0 | 1 }
  | { readonly as: "twin"; readonly isFork: boolean };

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ as: fc.constantFrom("push", "move base"), to: fc.nat(2) }) },
  {
    weight: 10,
    arbitrary: fc.record({
      as: fc.constant("plan"),
      races: fc.boolean(),
      isOpen: fc.nat(5).map((one) => one === 0),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ as: "run without an effect" }) },
  { weight: 2, arbitrary: fc.record({ as: fc.constant("forge a status"), effect: fc.nat(8) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      as: fc.constantFrom("approve", "approve", "withdraw"),
      by: fc.constantFrom(0, 1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ as: fc.constant("twin"), isFork: fc.boolean() }),
  },
) as fc.Arbitrary<Event>;

/** Plays a history of one pull request on a forge; gives what remit approves, and what an onlooker saw. */
async function play(name: ForgeName, before: readonly Event[], after: readonly Event[]) {
  const standIn = await startStandIn(name, [BOT, OTHER]);
  const forge = connectTo(pipelineOf(name, standIn));
  const own = { context: CONTEXT, account: ACCOUNT };
  const versions: { sha: string; at: string }[] = [];
  let [content, base, pushes] = [0, 0, 0];
  let hasTwin = false;
  /** What the pipeline's status says of each commit, as one sees it on the page: the newest with an effect. */
  const shown = new Map<string, { effect: string; isGood: boolean; first: string }>();
  /** The standing approvals: what the reviewer saw; undefined without a plan. */
  const standing = new Map<string, string | undefined>();
  const head = () => sha(pushes);
  const place = (more: object = {}) =>
    standIn.pulls.splice(0, 1, { ...PULL, head: { ...PULL.head, sha: head() }, versions, ...more });
  const push = () => {
    pushes += 1;
    versions.push({ sha: head(), at: standIn.now() });
    place();
  };
  push();
  const act = async (one: Event, isMerged: boolean) => {
    switch (one.as) {
      case "push":
        content = one.to;
        return push();
      case "move base":
        base = one.to;
        return;
      case "plan": {
        const effect = effectOf(content, base);
        const [first] = effectsIn(await forge.statuses(head()), own);
        const isSame = one.races || first === undefined || first.effect === effect;
        const isGood = isSame && !one.isOpen;
        const text = { about: "plan", name: NAME, effect, counts: "", isGood, url: null } as const;
        await forge.setStatus(head(), statusText(text));
        if (!isMerged) shown.set(head(), { effect, isGood, first: shown.get(head())?.first ?? effect });
        return;
      }
      case "run without an effect":
        return forge.setStatus(
          head(),
          statusText({ about: "plan", name: NAME, effect: null, counts: "failed", isGood: false, url: null }),
        );
      case "forge a status":
        return standIn.status(head(), CONTEXT, effectOf(one.effect, 0), OTHER);
      case "approve":
      case "withdraw": {
        const by = one.by === 0 ? ANN : BEN;
        const state = one.as === "approve" ? "APPROVED" : "CHANGES_REQUESTED";
        standIn.reviews.push({ by, state, at: standIn.now(), commit: head(), number: 41 });
        if (one.as === "withdraw") standing.delete(by.login);
        else if (!isMerged || shown.get(head())?.effect !== undefined || standing.has(by.login))
          standing.set(by.login, shown.get(head())?.effect);
        return;
      }
      case "twin": {
        const repository = one.isFork ? "mallory/infra" : REPOSITORY;
        standIn.pulls.push({ ...PULL, number: 42, head: { ...PULL.head, sha: head(), repository } });
        hasTwin = !one.isFork;
        return;
      }
      default:
        return one satisfies never;
    }
  };
  for (const one of before) {
    // A twin counts for the head that it was opened with; later pushes are to the one pull request.
    await act(one, false);
    if (hasTwin) break;
  }
  const merged = sha(4000);
  const isMerged = {
    state: "merged",
    mergeCommit: merged,
    merged: [merged],
    mergedAt: standIn.now(),
  } as const;
  place(isMerged);
  for (const one of after) await act(one, true);
  const branch = { branch: "main", after: sha(0), commits: [{ commit: merged, isWithin: true }] };
  const found = await approvedMerges(forge, branch, NAME, ACCOUNT);
  return { found, shown: shown.get(head()), standing: [...standing.values()], hasTwin };
}

describe.each(["github", "gitlab", "gitea"] as const)("on %s", (name) => {
  it("what is approved is what the pipeline showed for the merged head, and who approved saw that effect", async () => {
    let [approved, refused] = [0, 0];
    const later = event.filter(
      ({ as }) => as !== "push" && as !== "twin" && as !== "approve" && as !== "withdraw",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 12 }),
        fc.array(later, { maxLength: 3 }),
        async (before, after) => {
          const { found, shown, standing, hasTwin } = await play(name, before, after);
          const isShown = shown?.isGood && shown.first === shown.effect;
          const isApproved = standing.length === 0 || standing.includes(shown?.effect);
          const wanted = isShown && isApproved && !hasTwin ? shown.effect : null;
          expect([found.merges[0]?.effect ?? null, found.refused?.why.code ?? null]).toEqual([
            wanted,
            wanted === null ? expect.stringMatching(/^approved\//) : null,
          ]);
          if (wanted === null) refused += 1;
          else approved += 1;
        },
      ),
      { numRuns: cases(50, 150) },
    );
    expect([approved > 3, refused > 3]).toEqual([true, true]);
  });
});

describe("an approval", () => {
  const effect = effectOf(0, 0);
  const other = effectOf(1, 0);
  const at = (second: number) => new Date(second * 1000).toISOString();
  it.each([
    ["after the plan", [[1, effect]], 2, null],
    ["in the second of the plan", [[2, effect]], 2, null],
    ["before the plan", [[3, effect]], 2, "before the plan"],
    ["without any plan", [], 2, "before the plan"],
    ["after another plan", [[1, other]], 2, "another effect"],
    [
      "after a plan and another one",
      [
        [0, effect],
        [1, other],
      ],
      2,
      "another effect",
    ],
    [
      "in the second of a plan and another one",
      [
        [0, effect],
        [2, other],
      ],
      2,
      "another effect",
    ],
    [
      "after a plan that came back",
      [
        [0, effect],
        [1, other],
        [2, effect],
      ],
      3,
      null,
    ],
    ["at an unknown time", [[1, effect]], null, "not known"],
    ["after a plan of an unknown time", [[null, effect]], 2, "not known"],
  ] as const)("given %s counts or not", async (_, plans, given, fault) => {
    const statuses = plans.map(([second, description]) => ({
      context: CONTEXT,
      description,
      isSuccess: true,
      author: ACCOUNT,
      at: second === null ? null : at(second),
    }));
    const forge = {
      approvals: async () => [{ by: "ann", at: given === null ? null : at(given), commit: sha(1) }],
      statuses: async () => statuses.toReversed(),
    } as unknown as Parameters<typeof judgeApprovals>[0];
    const head = { number: 41, commit: sha(2), statuses: [] };
    const [judged] = await judgeApprovals(forge, head, effect, { context: CONTEXT, account: ACCOUNT });
    expect(judged?.fault).toBe(fault);
  });
});
