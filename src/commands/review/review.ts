import {
  type Approval,
  type CommitStatus,
  type Forge,
  type ForgeAccount,
  LONGEST,
  type PullRequest,
  type StatusText,
} from "../../forge/forge.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { say } from "../../words/say.js";
import { isOf } from "./upsert.js";

/** An effect that a status of the pipeline's own account shows for a commit. */
interface ShownEffect {
  readonly effect: string;
  readonly isSuccess: boolean;
  /** In milliseconds; null where the forge does not say. */
  readonly at: number | null;
}

/** Whose statuses count, and which: those of one plan. An unknown account is each of them. */
interface PlanStatus {
  readonly context: string;
  readonly account: ForgeAccount | null;
}

/** The effects that a plan's statuses show for a commit, the oldest first. A run that came to none shows none. */
export function effectsIn(
  statuses: readonly CommitStatus[],
  { context, account }: PlanStatus,
): readonly ShownEffect[] {
  const own = statuses.filter(
    (one) => one.context === context && (account === null || isOf(one.author, account)),
  );
  return own.toReversed().flatMap(({ description, isSuccess, at }) => {
    const effect = effectIn(description);
    return effect === null ? [] : [{ effect, isSuccess, at: timeOf(at) }];
  });
}

/** The effects that were shown before a pull request was merged; null where the forge does not say when something was. */
export function beforeMerge(
  effects: readonly ShownEffect[],
  { mergedAt }: PullRequest,
): readonly ShownEffect[] | null {
  const merged = timeOf(mergedAt);
  if (merged === null || effects.some(({ at }) => at === null)) return null;
  return effects.filter(({ at }) => at !== null && at <= merged);
}

/** An approval, and why it is not one of an effect; null where it is one. */
interface JudgedApproval {
  readonly approval: Approval;
  readonly fault: ApprovalFault | null;
}

/** Why an approval does not count for an effect. */
type ApprovalFault =
  /** The forge does not say when it was given, or for which commit. */
  | "not known"
  /** No status of the plan was there when it was given. */
  | "before the plan"
  /** The plan of that commit had another effect then. */
  | "another effect";

/** Why an approval does not count, in a few words. */
export const FAULTS: Readonly<Record<ApprovalFault, string>> = {
  "not known": "the forge does not say when, or for which commit",
  "before the plan": "given before the plan",
  "another effect": "given for another effect",
};

/** A pull request, and what is said of its head. */
interface ReviewedHead {
  readonly number: number;
  readonly commit: string;
  readonly statuses: readonly CommitStatus[];
}

/**
 * Which approvals of a pull request are of an effect: those given for a commit for which the plan's own status showed that
 * effect then. In the second of a new status, both count as shown. The statuses of the head are known already.
 */
export async function judgeApprovals(
  forge: Forge,
  { number, commit: head, statuses }: ReviewedHead,
  effect: string,
  plan: PlanStatus,
): Promise<readonly JudgedApproval[]> {
  const shown = new Map([[head, effectsIn(statuses, plan)]]);
  const judged: JudgedApproval[] = [];
  for (const approval of await forge.approvals(number)) {
    const { commit } = approval;
    if (commit !== null && !shown.has(commit))
      shown.set(commit, effectsIn(await forge.statuses(commit), plan));
    judged.push({ approval, fault: faultOf(approval, shown.get(commit ?? "") ?? [], effect) });
  }
  return judged;
}

function faultOf(
  { commit, at: given }: Approval,
  shown: readonly ShownEffect[],
  effect: string,
): ApprovalFault | null {
  const at = timeOf(given);
  if (commit === null || at === null || shown.some((one) => one.at === null)) return "not known";
  const earlier = shown.filter((one) => one.at !== null && one.at < at).slice(-1);
  const seen = [...earlier, ...shown.filter((one) => one.at === at)];
  if (seen.length === 0) return "before the plan";
  return seen.every((one) => one.effect === effect) ? null : "another effect";
}

/** Whether something was given after a pull request was merged. */
export function isAfterMerge({ at }: Approval, { mergedAt }: PullRequest): boolean {
  const [given, merged] = [timeOf(at), timeOf(mergedAt)];
  return given !== null && merged !== null && given > merged;
}

/** The other open pull requests of the repository that have the same head. One from a fork is not planned, and anyone can open it. */
export async function twinsOf(forge: Forge, commit: string, number: number): Promise<readonly number[]> {
  const found = await forge.openWith(commit);
  const open = found.filter(({ head, isFromFork }) => head.commit === commit && !isFromFork);
  return open.map((one) => one.number).filter((one) => one !== number);
}

/** Two open pull requests have one head, so what is said of the commit is said of both. */
export function oneHead(commit: string, numbers: readonly number[]): Diagnostic {
  const names = numbers.map((number) => `#${number}`).join(" and ");
  return say("approved/one-head", { names, commit: commit.slice(0, 12) });
}

function timeOf(text: string | null): number | null {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? null : time;
}

/** What a status says of one project and tenant. */
interface StatusContents {
  readonly about: "plan" | "apply";
  /** `PROJECT@TENANT`. */
  readonly name: string;
  /** `sha256:…`; null of a run that came to none. */
  readonly effect: string | null;
  /** The counts, as text. */
  readonly counts: string;
  readonly isGood: boolean;
  readonly url: string | null;
}

/** The context of a status: `remit/plan PROJECT@TENANT`. */
export function contextOf(about: StatusContents["about"], name: string): string {
  return clipped(`remit/${about} ${name}`, LONGEST.context);
}

/** A status: the effect first, then the counts, and what has no room is dropped. */
export function statusText({ about, name, effect, counts, isGood, url }: StatusContents): StatusText {
  return {
    context: contextOf(about, name),
    state: isGood ? "success" : "failure",
    description: clipped(effect === null ? counts : `${effect} ${counts}`, LONGEST.description),
    url,
  };
}

/** The effect that a description begins with; null where it begins with none. */
export function effectIn(description: string): string | null {
  return /^(sha256:[0-9a-f]{64})(?: |$)/.exec(description)?.[1] ?? null;
}

/** The first characters of a text, as forges count them, and no half of one. */
function clipped(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}
