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
    };

/** Reads `GUARD` or `GUARD=ADDRESS` as a flag gives it. */
export function parseAcknowledgement(text: string): Acknowledgement {
  const equals = text.indexOf("=");
  if (equals < 0) return { by: "flag", guard: text, address: null };
  return { by: "flag", guard: text.slice(0, equals), address: text.slice(equals + 1) };
}

/**
 * Who answers for a finding today; a flag before the project file. One without an address answers for all of its guard.
 */
export function acknowledged(
  guard: string,
  address: Address | null,
  given: readonly Acknowledgement[],
  today: string,
): Finding["acknowledged"] {
  const name = address === null ? null : formatAddress(address);
  const found = given.filter(
    (one) => one.guard === guard && (one.address === null || one.address === name) && holds(one, today),
  );
  const first = found.find(({ by }) => by === "flag") ?? found[0];
  if (first === undefined) return null;
  if (first.by === "flag") return { by: "flag", until: null, reason: null };
  return { by: "project", until: first.until, reason: first.reason };
}

/**
 * What is wrong with the acknowledgements themselves: guards that do not exist, and those that have expired but are
 * still needed.
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
    const needed = found.some(
      ({ guard, address, acknowledged: answer }) =>
        answer === null &&
        guard === one.guard &&
        (one.address === null || (address !== null && formatAddress(address) === one.address)),
    );
    if (one.by === "flag" || holds(one, today) || !needed) return [];
    return [
      {
        code: "guard/expired",
        severity: "warning",
        message: `the acknowledgement of ${one.guard}${one.address === null ? "" : ` for ${one.address}`} ended on ${one.until}`,
        hint: "Review it, and give it a new `until` in remit.yaml; or remove it.",
      },
    ];
  });
}

function holds(one: Acknowledgement, today: string): boolean {
  return one.by === "flag" || today <= one.until.slice(0, 10);
}
