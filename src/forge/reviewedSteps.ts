import type { Forge } from "./forge.js";
import { isOf } from "./upsert.js";

/** The hash of each writing step of a plan, by its address and key. */
export type StepHashes = ReadonlyMap<string, string>;

/** What of a plan is not as it was reviewed: addresses and keys. */
export interface ChangedSteps {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly gone: readonly string[];
}

/** The most bytes that the steps of all plans may take in a comment. */
export const STEPS_ROOM = 10_000;

/** The steps of a plan as a hidden line of its comment; empty where they take more than so many bytes. */
export function stepsLine(name: string, steps: StepHashes, room: number): string {
  const words = [name, ...[...steps].map(([step, hash]) => `${step}=${hash}`)].map(spelled);
  const line = `<!-- remit:steps ${words.join(" ")} -->`;
  return line.length <= room ? line : "";
}

/** The steps that a comment contains of a plan; null where it contains none. */
export function stepsIn(body: string, name: string): StepHashes | null {
  for (const [, words = ""] of body.matchAll(/^<!-- remit:steps (\S+(?: \S+)*) -->\r?$/gm)) {
    const [of, ...steps] = words.split(" ").map(readable);
    if (of !== name) continue;
    const pairs = steps.map((step) => /^(.*)=([0-9a-f]{64})$/s.exec(step ?? ""));
    return pairs.includes(null) ? null : new Map(pairs.map((pair) => [pair?.[1] ?? "", pair?.[2] ?? ""]));
  }
  return null;
}

/** The reviewed steps of a plan, from the comment that the account of the token wrote; null where there is none. */
export async function reviewedSteps(forge: Forge, number: number, name: string): Promise<StepHashes | null> {
  const account = await forge.account();
  if (account === null) return null;
  const own = (await forge.comments(number)).filter(
    ({ author, body }) => isOf(author, account) && body.startsWith("<!-- remit:plan "),
  );
  return own.map(({ body }) => stepsIn(body, name)).find((steps) => steps !== null) ?? null;
}

/** What differs between reviewed steps and those of now. */
export function changedSteps(reviewed: StepHashes, now: StepHashes): ChangedSteps {
  return {
    changed: [...now].flatMap(([name, hash]) => ((reviewed.get(name) ?? hash) === hash ? [] : [name])),
    added: [...now.keys()].filter((name) => !reviewed.has(name)),
    gone: [...reviewed.keys()].filter((name) => !now.has(name)),
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
