import type { Address } from "../model/address.js";
import { formatAddress } from "../model/address.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { Finding } from "./plan.js";

/** The acknowledgement of a guard's finding: by a flag for this run, or in the project file until a date. */
export type Acknowledgement =
  | { readonly by: "flag"; readonly guard: string; readonly address: string | null }
  | {
      readonly by: "project";
      readonly guard: string;
      readonly address: string | null;
      /** The last day it holds, `2026-01-31`. */
      readonly until: string;
      readonly reason: string;
      /** The hash of the only finding it covers; null where it covers every finding of its guard and address. */
      readonly of: string | null;
    };

/** What an acknowledgement is compared with. */
type Found = Pick<Finding, "guard" | "address" | "hash">;

/** Reads `GUARD` or `GUARD=ADDRESS` as a flag gives it. */
export function parseAcknowledgement(text: string): Acknowledgement {
  const equals = text.indexOf("=");
  if (equals < 0) return { by: "flag", guard: text, address: null };
  return { by: "flag", guard: text.slice(0, equals), address: text.slice(equals + 1) };
}

/**
 * Who answers for a finding today; a flag before the project file, and an entry for exactly this finding before one for
 * any. One without an address answers for all of its guard.
 */
export function acknowledged(
  { guard, address, hash }: Found,
  given: readonly Acknowledgement[],
  today: string,
): Finding["acknowledged"] {
  const about = given.filter((one) => isAbout(one, guard, address) && holds(one, today));
  if (about.some(({ by }) => by === "flag")) return { by: "flag", until: null, reason: null, of: null };
  const entries = about.filter((one) => one.by === "project");
  const first = entries.find(({ of }) => of === hash) ?? entries.find(({ of }) => of === null);
  if (first === undefined) return null;
  return { by: "project", until: first.until, reason: first.reason, of: first.of };
}

/** Whether a finding of a guard, whatever its hash, may be answered: its hash is only known once its step is. */
export function mayBeAcknowledged(
  guard: string,
  address: Address,
  given: readonly Acknowledgement[],
  today: string,
): boolean {
  return given.some((one) => isAbout(one, guard, address) && holds(one, today));
}

/**
 * What is wrong with the acknowledgements themselves: guards that do not exist, and entries that have expired, or that
 * are of another finding, while one is still needed.
 */
export function acknowledgementDiagnostics(
  given: readonly Acknowledgement[],
  guards: readonly string[],
  found: readonly Finding[],
  today: string,
): readonly Diagnostic[] {
  return given.flatMap((one): readonly Diagnostic[] => {
    if (!guards.includes(one.guard)) {
      return [
        {
          code: "guard/unknown",
          severity: "error",
          message: `unknown guard "${one.guard}"`,
          hint: `The guards are ${guards.map((name) => `\`${name}\``).join(", ")}.`,
        },
      ];
    }
    return one.by === "flag" ? [] : entryDiagnostics(one, found, today);
  });
}

/** What is wrong with an entry of the project file while a finding that it could be about is open. */
function entryDiagnostics(
  one: Extract<Acknowledgement, { readonly by: "project" }>,
  found: readonly Finding[],
  today: string,
): readonly Diagnostic[] {
  const { guard, address, of, until } = one;
  const [open] = found.filter(
    (finding) => finding.acknowledged === null && isAbout(one, finding.guard, finding.address),
  );
  if (open === undefined) return [];
  const name = `the acknowledgement of ${guard}${address === null ? "" : ` for ${address}`}`;
  const isOfOne = of === null || found.some(({ hash }) => hash === of);
  if (isOfOne) return holds(one, today) ? [] : [expired(name, until)];
  return [ofAnother(name, open.hash)];
}

function expired(name: string, until: string): Diagnostic {
  return {
    code: "guard/expired",
    severity: "warning",
    message: `${name} ended on ${until}`,
    hint: "Review it, and give it a new `until` in remit.yaml; or remove it.",
  };
}

function ofAnother(name: string, hash: string): Diagnostic {
  return {
    code: "guard/other-finding",
    severity: "warning",
    message: `${name} is of another finding: the change is not the one that was acknowledged`,
    hint: `Review the change again. To acknowledge it, write \`of: ${hash}\` in remit.yaml.`,
  };
}

function isAbout(one: Acknowledgement, guard: string, address: Address | null): boolean {
  if (one.guard !== guard) return false;
  return one.address === null || (address !== null && formatAddress(address) === one.address);
}

function holds(one: Acknowledgement, today: string): boolean {
  return one.by === "flag" || today <= one.until.slice(0, 10);
}
