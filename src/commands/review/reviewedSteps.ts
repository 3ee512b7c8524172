import type { Forge } from "../../forge/forge.js";
import { effectOfSteps } from "../../plan/saved/effect.js";
import { isOf } from "./upsert.js";

/** The hash of each writing step of a plan, by its address and key. */
export type StepHashes = ReadonlyMap<string, string>;

/** What a comment contains of the steps of a plan: all of them, or of a larger plan the beginning of each hash. */
type ReviewedSteps =
  | { readonly as: "steps"; readonly steps: StepHashes }
  | { readonly as: "marks"; readonly marks: ReadonlySet<string> };

/** What of a plan is not as it was reviewed: addresses and keys. */
export interface ChangedSteps {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly gone: readonly string[];
  /** Changed or added: marks do not tell which. */
  readonly other: readonly string[];
  /** How many reviewed steps are not in the plan as they were; only of marks, which have no names. */
  readonly lost: number;
}

/** The most bytes that the steps of all plans may take in a comment. */
export const STEPS_ROOM = 10_000;

/** The steps of a plan as a hidden line of its comment, or their marks; empty where both take more than so many bytes. */
export function stepsLine(name: string, steps: StepHashes, room: number): string {
  const words = [name, ...[...steps].map(([step, hash]) => `${step}=${hash}`)].map(spelled);
  const marks = [...steps.values()].map(markOf).sort().join("");
  const lines = [`<!-- remit:steps ${words.join(" ")} -->`, `<!-- remit:marks ${spelled(name)} ${marks} -->`];
  return lines.find((line) => line.length <= room) ?? "";
}

/** The beginning of a hash. */
function markOf(hash: string): string {
  return hash.slice(0, MARK);
}

/** 48 bits: few enough for 800 steps, and enough that no two steps of a plan look alike by chance. */
const MARK = 12;

/** The steps that a comment contains of a plan; null where it contains none. */
export function stepsIn(body: string, name: string): ReviewedSteps | null {
  for (const [, as, words = ""] of body.matchAll(/^<!-- remit:(steps|marks) (\S+(?: \S+)*) -->\r?$/gm)) {
    const [of = "", ...rest] = words.split(" ");
    if (readable(of) !== name) continue;
    if (as === "marks") {
      const marks = rest.join("").match(/[0-9a-f]{12}/g) ?? [];
      return { as: "marks", marks: new Set(marks) };
    }
    const pairs = rest.map((step) => /^(.*)=([0-9a-f]{64}\*?)$/s.exec(readable(step) ?? ""));
    if (pairs.includes(null)) return null;
    return { as: "steps", steps: new Map(pairs.map((pair) => [pair?.[1] ?? "", pair?.[2] ?? ""])) };
  }
  return null;
}

/** A plan that was reviewed. */
export interface ReviewedPlan {
  /** `PROJECT@TENANT`. */
  readonly name: string;
  readonly server: string;
  readonly effect: string;
}

/**
 * The reviewed steps of a plan, from the comments that the account of the token wrote: a list with that effect, or else the
 * newest marks. Null where there are none. A comment about other projects, too, may list what was reviewed earlier.
 */
export async function reviewedSteps(
  forge: Forge,
  number: number,
  { name, server, effect }: ReviewedPlan,
): Promise<ReviewedSteps | null> {
  const account = await forge.account();
  if (account === null) return null;
  const own = (await forge.comments(number)).filter(
    ({ author, body }) => isOf(author, account) && /^<!-- remit:(?:plan|apply) /.test(body),
  );
  const lists = own.flatMap(({ body }) => stepsIn(body, name) ?? []).reverse();
  const isReviewed = (list: ReviewedSteps) =>
    list.as === "steps" && effectOfSteps(server, [...list.steps.values()]) === effect;
  return lists.find(isReviewed) ?? lists.find(({ as }) => as === "marks") ?? null;
}

/** What differs between the reviewed steps of a plan and those of now; null where the reviewed ones are not known. */
export async function changedSince(
  forge: Forge,
  number: number,
  reviewed: ReviewedPlan,
  now: StepHashes,
): Promise<ChangedSteps | null> {
  const before = await reviewedSteps(forge, number, reviewed);
  return before === null ? null : changedSteps(before, now);
}

/** What differs between reviewed steps and those of now. */
export function changedSteps(reviewed: ReviewedSteps, now: StepHashes): ChangedSteps {
  if (reviewed.as === "marks") {
    const marks = new Set([...now.values()].map(markOf));
    const other = [...now].flatMap(([name, hash]) => (reviewed.marks.has(markOf(hash)) ? [] : [name]));
    const lost = [...reviewed.marks].filter((mark) => !marks.has(mark)).length;
    return { changed: [], added: [], gone: [], other, lost };
  }
  const { steps } = reviewed;
  return {
    changed: [...now].flatMap(([name, hash]) => ((steps.get(name) ?? hash) === hash ? [] : [name])),
    added: [...now.keys()].filter((name) => !steps.has(name)),
    gone: [...steps.keys()].filter((name) => !now.has(name)),
    other: [],
    lost: 0,
  };
}

/** A text in one word, without what could end a comment of HTML. */
export function spelled(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd")).replaceAll("-", "%2D");
}

/** A spelled text as it was; null where it is not one. */
export function readable(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
