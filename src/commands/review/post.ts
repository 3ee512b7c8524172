import { type Forge, LONGEST } from "../../forge/forge.js";
import { fingerprint } from "../../plan/saved/spelling.js";
import { ApiError } from "../../tenant/client/error.js";
import { readable, STEPS_ROOM, type StepHashes, spelled, stepsLine } from "./reviewedSteps.js";
import { type CommentText, type Posted, upsert } from "./upsert.js";

/** What a comment is about, and its text within so many bytes. */
interface Posting extends Omit<CommentContents, "text"> {
  readonly text: (maxBytes: number) => string;
}

/** Writes a comment or edits the earlier one, within what a forge takes; a shorter one where it takes less than it says. */
export async function post(forge: Forge, number: number, { text, ...about }: Posting): Promise<Posted> {
  const within = (maxBytes: number) => upsert(forge, number, commentText({ ...about, text: text(maxBytes) }));
  try {
    return await within(LONGEST.comment - BESIDE);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 422) throw error;
    return within(LONGEST.comment / 3);
  }
}

/** What one comment is about, and what it says now. */
interface CommentContents {
  /** A plan, what an apply came to, or what a night found: each has a comment of its own. */
  readonly about: "plan" | "apply" | "night";
  /** `PROJECT@TENANT` of each part. */
  readonly names: readonly string[];
  /** Markdown, in which no text of others is mark-up. */
  readonly text: string;
  /** What this run says in one line, for the history of a later run: plain text. */
  readonly line: string;
  /** The steps of each plan, by its name: a later run says what changed since the review. */
  readonly steps: ReadonlyMap<string, StepHashes>;
  /** Makes a plain text harmless in Markdown. */
  readonly escaped: (text: string) => string;
}

/** The most earlier runs that a comment lists. */
const MOST_EARLIER = 10;
const LONGEST_LINE = 300;
const LONGEST_NAMES = 2000;
const EARLIER = {
  plan: "Earlier in this pull request",
  apply: "Earlier in this pull request",
  night: "Earlier nights",
} as const;
const [NOW, WAS] = ["remit:now", "remit:was"];

/** The most bytes of a comment beside its text: the marker, the history, and the history once more for a later run. */
const BESIDE = STEPS_ROOM + 4_000 + (MOST_EARLIER + 1) * 2 * LONGEST_LINE;

/** A comment with its marker, and with a line for each earlier run that said something else. */
export function commentText({ about, names, text, line, steps, escaped }: CommentContents): CommentText {
  const marker = `<!-- remit:${about} ${namesIn([...names].sort())} -->`;
  const now = clipped(line);
  const room = STEPS_ROOM / Math.max(1, steps.size);
  const hidden = [...steps]
    .map(([name, hashes]) => stepsLine(name, hashes, room))
    .filter((one) => one !== "");
  return {
    marker,
    body(before) {
      const earlier = before === null ? [] : earlierIn(before, now).slice(0, MOST_EARLIER);
      const list = earlier.map((one) => `- ${escaped(one)}`);
      return [
        marker,
        text.trimEnd(),
        ...(list.length === 0
          ? []
          : ["", `<details><summary>${EARLIER[about]}</summary>`, "", ...list, "", "</details>"]),
        "",
        `<!-- ${NOW} ${spelled(now)} -->`,
        ...earlier.map((one) => `<!-- ${WAS} ${spelled(one)} -->`),
        ...hidden,
        "",
      ].join("\n");
    },
  };
}

/** The names of the parts in one text; of many parts the beginning, and the hash of all. */
function namesIn(names: readonly string[]): string {
  const all = names.map(spelled).join(" ");
  return all.length <= LONGEST_NAMES ? all : `${all.slice(0, LONGEST_NAMES)} ${fingerprint(names)}`;
}

/** The lines of earlier runs, the newest first. A run that says the same again adds none. */
function earlierIn(body: string, now: string): readonly string[] {
  const lines = [...body.matchAll(/^<!-- remit:(?:now|was) (\S+) -->\r?$/gm)].map(([, text = ""]) =>
    readable(text),
  );
  const [last, ...rest] = lines.flatMap((line) => line ?? []);
  if (last === undefined) return [];
  return last === now ? rest : [last, ...rest];
}

function clipped(text: string): string {
  const letters = [...text];
  return letters.length <= LONGEST_LINE / 3 ? text : `${letters.slice(0, LONGEST_LINE / 3 - 1).join("")}…`;
}
