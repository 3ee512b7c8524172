import { DENIED } from "../../../plan/guards/own/ownGuard.js";
import type { FindingReport } from "../../plan/report.js";
import { acknowledgementOf } from "../../plan/words/tally.js";
import { code, inline, prose } from "../../text/escape.js";

/** A finding, with its answer; what acknowledges the open ones stands once, below all of them. */
export function guardOf(finding: FindingReport): string {
  const { guard, address, message, flag } = finding;
  const about = address === null ? "" : `${code(address)}: `;
  const answer = acknowledgementOf(finding);
  const parts = [
    `- ${answer === null ? "**!**" : "✓"} ${code(guard)} ${about}${prose(message)}`,
    ...(answer === null ? (flag === null ? [DENIED] : []) : [inline(answer)]),
  ];
  return parts.join(" · ");
}
