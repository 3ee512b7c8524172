import { LONGEST, type StatusText } from "../../forge/forge.js";

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
