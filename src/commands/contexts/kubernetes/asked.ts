import packageFile from "../../../../package.json" with { type: "json" };

/** The minutes of a day in which jobs may start. */
export interface StartTimes {
  /** Minutes after midnight, in UTC. */
  readonly start: number;
  readonly minutes: number;
}

/** An effect that was approved for a context. */
export interface ApprovedEffect {
  /** Null for a project without contexts. */
  readonly context: string | null;
  readonly effect: string;
}

/** What the flags of `--format kubernetes` say; undefined where one is not given. */
export interface KubernetesFlags {
  readonly namespace?: string;
  readonly image?: string;
  readonly window?: StartTimes;
  readonly source?: "git" | "image";
  readonly apply: boolean;
  readonly expect?: readonly ApprovedEffect[];
  /** When the effects were merged, in milliseconds. */
  readonly mergedAt?: number;
}

/** The image of this version: it has remit and git, and no project. */
export const IMAGE = `ghcr.io/remit-cli/remit:${packageFile.version}`;

/** Where plans run, and where applies do: two namespaces, so that who may start one may not start the other. */
export const NAMESPACES = { plan: "remit", apply: "remit-apply" } as const;

/** The window of jobs that no flag moves. */
export const NIGHT: StartTimes = { start: 60, minutes: 240 };

const DAY = 24 * 60;
const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const EFFECT = /^sha256:[0-9a-f]{64}$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** Whether a text can be the name of a namespace, or a part of one: a DNS label. */
export function isLabel(text: string): boolean {
  return LABEL.test(text);
}

/** Reads the name of a namespace; throws if it cannot be one. */
export function parseNamespace(text: string): string {
  if (isLabel(text)) return text;
  throw new Error("a namespace has a-z, 0-9 and - between them; 63 characters at most");
}

/** Reads the name of an image; throws if it cannot be one. */
export function parseImage(text: string): string {
  if (/^[a-z0-9][\w./:@-]*$/i.test(text)) return text;
  throw new Error(`write the name of an image, such as ${IMAGE}`);
}

/** Reads `HH:MM-HH:MM`, also over midnight; throws if it does not have that form, or has no minute in it. */
export function parseWindow(text: string): StartTimes {
  const [from, to, ...more] = text.split("-").map(minuteOf);
  if (from === undefined || to === undefined || more.length > 0)
    throw new Error("write two times of the day in UTC, such as 01:00-05:00");
  if (from === to)
    throw new Error("the window has no minute in it; write two different times, such as 01:00-05:00");
  return { start: from, minutes: (to - from + DAY) % DAY };
}

function minuteOf(text: string): number | undefined {
  const [, hours, minutes] = TIME.exec(text.trim()) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

/** Reads `CONTEXT=EFFECT`, or the effect alone of a project without contexts; throws if it does not have that form. */
export function parseApproved(text: string): ApprovedEffect {
  if (EFFECT.test(text)) return { context: null, effect: text };
  const equals = text.indexOf("=");
  const [context, effect] = [text.slice(0, equals), text.slice(equals + 1)];
  if (equals > 0 && EFFECT.test(effect)) return { context, effect };
  throw new Error("write a context and the effect that its plan shows, as in eu=sha256:… with 64 digits");
}
