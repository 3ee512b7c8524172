import { byPlace, type Diagnostic, type Severity } from "../../model/diagnostic.js";
import { fingerprint } from "../../plan/saved/spelling.js";
import { withHint } from "../diagnostics/brief.js";
import { type CheckoutOptions, inCheckout } from "../diagnostics/checkout.js";
import { boundedJson, visible } from "../text/visible.js";

// https://docs.gitlab.com/ci/testing/code_quality: info, minor, major, critical or blocker.
const SEVERITIES: Readonly<Record<Severity, string>> = { error: "critical", warning: "minor", note: "info" };

/** The file that stands for the project: GitLab shows no finding without a file and a line. */
const PROJECT_FILE = "remit.yaml";

/**
 * Diagnostics as a Code Quality report of GitLab. A fingerprint stays the same while the file, the code and the message
 * do, so that a diagnostic that moves to another line is not a new one.
 */
export function toCodeQuality(
  diagnostics: readonly Diagnostic[],
  { folder = "" }: CheckoutOptions = {},
): string {
  const seen = new Map<string, number>();
  const rows = [...diagnostics].sort(byPlace).map((diagnostic) => {
    const { code, severity, message, span } = diagnostic;
    const isInFile = span !== undefined && span.file !== "-";
    const path = inCheckout(isInFile ? span.file : PROJECT_FILE, folder);
    const base = fingerprint([code, path, message]);
    const before = seen.get(base) ?? 0;
    seen.set(base, before + 1);
    return {
      description: visible(withHint(diagnostic)),
      check_name: code,
      fingerprint: before === 0 ? base : fingerprint([base, before]),
      severity: SEVERITIES[severity],
      location: { path, lines: { begin: isInFile ? span.start.line : 1 } },
    };
  });
  return boundedJson(rows);
}
