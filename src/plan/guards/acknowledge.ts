import { type Address, formatAddress } from "../../model/address.js";
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import { nearlySame } from "../../schema/didYouMean.js";
import { isDay, laterDay } from "../../schema/timestamp.js";
import { say } from "../../words/say.js";
import type { Finding } from "../plan.js";

/** The acknowledgement of a guard's finding: by a flag for this run, or in the project file until a date. */
export type Acknowledgement =
  | { readonly by: "flag"; readonly guard: string; readonly address: string | null }
  | {
      readonly by: "project";
      readonly guard: string;
      /** Null for the whole plan. */
      readonly address: string | null;
      /** The last day it holds, `2026-01-31`. */
      readonly until: string;
      readonly reason: string;
      /** The hash of the only finding it covers; null where it covers every finding of its guard and address. */
      readonly of: string | null;
      readonly span: Span | null;
    };

/** What acknowledgements are judged by: the date, and for how many days from it one may hold. */
export interface Term {
  /** The date, `2026-01-31`: acknowledgements expire by it, and nothing else in a plan depends on it. */
  readonly today: string;
  readonly limits: { readonly acknowledgeDays: number };
}

/** What answers for findings. */
export interface Answering extends Term {
  readonly acknowledgements: readonly Acknowledgement[];
}

/** The address of an acknowledgement that is for the whole plan. */
export const WHOLE_PLAN = "*";

/** The guard of a first run, which a flag of its own acknowledges, too. */
export const FIRST_RUN = "first-run";

/** What an acknowledgement is compared with. */
type Found = Pick<Finding, "guard" | "address" | "hash">;

/** Reads `GUARD` or `GUARD=ADDRESS` as a flag gives it. */
export function parseAcknowledgement(text: string): Acknowledgement {
  const equals = text.indexOf("=");
  if (equals < 0) return { by: "flag", guard: text, address: null };
  const address = text.slice(equals + 1);
  return { by: "flag", guard: text.slice(0, equals), address: address === WHOLE_PLAN ? null : address };
}

/** The flag that acknowledges a finding. */
export function flagFor(
  { guard, address }: Pick<Finding, "guard" | "address">,
  quote = (text: string) => text,
): string {
  if (guard === FIRST_RUN) return "--first-run";
  return `--acknowledge ${quote(address === null ? guard : `${guard}=${formatAddress(address)}`)}`;
}

/**
 * Who answers for a finding today; a flag before the project file, and an entry for exactly this finding before one for
 * any. One without an address answers for all of its guard.
 */
export function acknowledged(found: Found, answers: Answering): Finding["acknowledged"] {
  const one = acknowledgementOf(found, answers);
  if (one === null) return null;
  if (one.by === "flag") return { by: "flag", until: null, reason: null, of: null };
  return { by: "project", until: one.until, reason: one.reason, of: one.of };
}

/** The acknowledgement that answers for a finding today; null where none does. */
export function acknowledgementOf(
  { guard, address, hash }: Found,
  answers: Answering,
): Acknowledgement | null {
  const about = answers.acknowledgements.filter((one) => isAbout(one, guard, address) && holds(one, answers));
  const entries = about.filter((one) => one.by === "project");
  const isAny = ({ of }: (typeof entries)[number]) => of === null;
  const entry = entries.find(({ of }) => of === hash) ?? entries.find(isAny);
  return about.find(({ by }) => by === "flag") ?? entry ?? null;
}

/** Whether the write of an object that was not seen may be answered, whatever its hash: that is only known with the step. */
export function mayReplaceUnseen(address: Address, answers: Answering): boolean {
  return answers.acknowledgements.some(
    (one) => isAbout(one, "unknown-current", address) && holds(one, answers),
  );
}

/** Acknowledgements of guards that do not exist. */
export function unknownGuards(
  guards: readonly string[],
  { acknowledgements }: Pick<Answering, "acknowledgements">,
): readonly Diagnostic[] {
  const unknown = acknowledgements.filter(({ guard }) => !guards.includes(guard));
  return unknown.map(({ guard }) => say("guard/unknown", { guard, guards }));
}

/**
 * Entries of the project file that do not answer for a finding that is open. Such an entry has expired, holds for too long,
 * or is of another finding.
 */
export function idleAnswers(found: readonly Finding[], answers: Answering): readonly Diagnostic[] {
  return answers.acknowledgements.flatMap((one) =>
    one.by === "flag" ? [] : entryDiagnostics(one, found, answers),
  );
}

/**
 * Acknowledgements of an address that the plan does not have, while a finding of their guard is open whose address is nearly
 * the same. An address that is far from each of them may be of an object that this plan leaves out.
 */
export function misspelt(
  found: readonly Finding[],
  { acknowledgements }: Pick<Answering, "acknowledgements">,
  planned: readonly Address[],
): readonly Diagnostic[] {
  const known = new Set(planned.map(formatAddress));
  return acknowledgements.flatMap((one) => {
    const { guard, address } = one;
    if (address === null || known.has(address)) return [];
    const [kind = "", ...name] = address.split("/");
    const open = found.filter((finding) => finding.guard === guard && finding.acknowledged === null);
    const names = open.flatMap((finding) => (finding.address?.kind === kind ? [finding.address.name] : []));
    const meant = nearlySame(name.join("/"), names);
    if (meant === undefined) return [];

    const span = one.by === "project" ? one.span : null;
    return [say("guard/no-address", { address, guard, kind, meant }, { span })];
  });
}

/** What is wrong with an entry of the project file while a finding that it could be about is open. */
function entryDiagnostics(
  one: Extract<Acknowledgement, { readonly by: "project" }>,
  found: readonly Finding[],
  term: Term,
): readonly Diagnostic[] {
  const { guard, address, of, until } = one;
  const [open] = found.filter(
    (finding) => finding.acknowledged === null && isAbout(one, finding.guard, finding.address),
  );
  if (open === undefined) return [];
  const name = `the acknowledgement of ${guard}${address === null ? "" : ` for ${address}`}`;
  const isOfOne = of === null || found.some(({ hash }) => hash === of);
  if (!isOfOne) return [say("guard/other-finding", { name, hash: open.hash })];
  const why = endOf(until, term);
  if (why === null) return [];
  return [{ ...why, severity: "warning", message: `${name} ${why.message}` }];
}

/** Why an acknowledgement does not hold by its last day; null where it holds. */
export function endOf(
  until: string,
  { today, limits: { acknowledgeDays } }: Term,
): (Diagnostic & { readonly hint: string }) | null {
  if (!isDay(until)) return say("guard/no-day", { until });
  if (until < today) return say("guard/expired", { until });
  const last = laterDay(today, acknowledgeDays);
  if (until <= last) return null;
  return say("guard/long-term", { until, days: acknowledgeDays, last });
}

function isAbout(one: Acknowledgement, guard: string, address: Address | null): boolean {
  if (one.guard !== guard) return false;
  return one.address === null || (address !== null && formatAddress(address) === one.address);
}

function holds(one: Acknowledgement, term: Term): boolean {
  return one.by === "flag" || endOf(one.until, term) === null;
}
