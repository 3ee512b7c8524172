import { DENIED } from "../../../plan/guards/own/ownGuard.js";
import type { FindingReport } from "../../plan/report.js";
import { acknowledgementOf, exactFormOf } from "../../plan/words/tally.js";
import { code, inline, prose } from "../../text/escape.js";

/** A finding, with its answer or the flag that gives one; with its hash where a reader has no other place for it. */
export function guardOf(finding: FindingReport, isExact = true): string {
  const { guard, address, message, flag } = finding;
  const about = address === null ? "" : `${code(address)}: `;
  const answer = acknowledgementOf(finding);
  const exact = isExact ? exactFormOf(finding) : null;
  const parts = [
    `- ${answer === null ? "**!**" : "✓"} ${code(guard)} ${about}${prose(message)}`,
    answer === null ? (flag === null ? DENIED : code(flag)) : inline(answer),
    ...(exact === null ? [] : [`for this finding only: ${code(exact)}`]),
  ];
  return parts.join(" · ");
}
