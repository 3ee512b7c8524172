import type { FoundOne } from "../../../cli/forge/findPull.js";
import type { Forge } from "../../../forge/forge.js";
import type { Pipeline } from "../../../forge/pipeline.js";
import { ifAllowed } from "../../../forge/rest.js";
import type { Diagnostic } from "../../../model/diagnostic.js";
import { contextOf, effectsIn, FAULTS, judgeApprovals, oneHead, statusText } from "../review.js";
import { changedSince } from "../reviewedSteps.js";
import type { CommentPart } from "./parts.js";

/**
 * The parts as the reviewers of an open pull request have to read them. The first effect that was planned for a commit is the only
 * one that it can be approved for, so a plan with another one fails. Approvals that are not of a plan are named beside it.
 */
export async function againstHistory(
  forge: Forge,
  { number, commit }: FoundOne,
  parts: readonly CommentPart[],
): Promise<readonly CommentPart[]> {
  const account = await forge.account();
  const head = { number, commit, statuses: await forge.statuses(commit) };
  const judged: CommentPart[] = [];
  for (const part of parts) {
    const { shown, about, effect, steps } = part;
    if (about !== "plan" || shown.as !== "plan" || effect === null) {
      judged.push(part);
      continue;
    }
    const { name, report } = shown;
    const own = { context: contextOf("plan", name), account };
    // A token may lack the right to read reviews. The plan is posted all the same.
    const given = await ifAllowed(() => judgeApprovals(forge, head, effect, own));
    const uncounted = (given ?? []).flatMap(({ approval, fault }) =>
      fault === null ? [] : [{ by: approval.by, why: FAULTS[fault] }],
    );
    const [first] = effectsIn(head.statuses, own);
    if (first === undefined || first.effect === effect) {
      judged.push({ ...part, shown: { ...shown, uncounted } });
      continue;
    }
    const reviewed = first.effect;
    const differing = await changedSince(
      forge,
      number,
      { name, server: report.server, effect: reviewed },
      steps,
    );
    const unreviewed = { as: "plan", reviewed, effect, steps: differing, range: null } as const;
    const counts = "not what was planned first: push a commit for a new review";
    judged.push({ ...part, counts, isGood: false, shown: { ...shown, unreviewed } });
  }
  return judged;
}

/** Fails the plans of a commit that is the head of several open pull requests, and says which. */
export async function refuseTwins(
  forge: Forge,
  { run: url }: Pipeline,
  { number, commit }: FoundOne,
  twins: readonly number[],
  parts: readonly CommentPart[],
): Promise<readonly Diagnostic[]> {
  const refusal = oneHead(commit, [number, ...twins]);
  for (const { about, shown } of parts)
    if (about === "plan") {
      const counts = `${[number, ...twins].map((one) => `#${one}`).join(" and ")} have this head`;
      const status = { about, name: shown.name, effect: null, counts, isGood: false, url } as const;
      await forge.setStatus(commit, statusText(status));
    }
  return [refusal];
}
