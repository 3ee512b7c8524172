import { byPlace, type Diagnostic } from "../../model/diagnostic.js";
import { type CheckoutOptions, inCheckout } from "../diagnostics/checkout.js";
import { tame } from "../text/tame.js";

/**
 * Diagnostics as a report of JUnit, which GitLab, Jenkins and others read: one test case for the run, and one for each
 * diagnostic. An error is a failed case, anything else a case that passed and has its text as output.
 */
export function toJunit(
  diagnostics: readonly Diagnostic[],
  { folder = "" }: CheckoutOptions = {},
  headline: string | null = null,
): string {
  const failures = diagnostics.filter(({ severity }) => severity === "error").length;
  const counts = { tests: diagnostics.length + 1, failures, errors: 0, skipped: 0 };
  const run = element("testcase", { classname: "remit", name: headline ?? "the run" });
  const cases = [...diagnostics].sort(byPlace).map((diagnostic) => caseOf(diagnostic, folder));
  const suite = element("testsuite", { name: "remit", ...counts }, [run, ...cases]);
  const { skipped: _, ...all } = counts;
  const suites = element("testsuites", { name: "remit", ...all }, [suite]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${suites}\n`;
}

function caseOf({ code, severity, message, hint, span, related = [] }: Diagnostic, folder: string): string {
  const isInFile = span !== undefined && span.file !== "-";
  const place = isInFile ? { file: inCheckout(span.file, folder), line: span.start.line } : null;
  const lines = [
    message,
    ...related.map(
      ({ span: { file, start }, message: why }) => `${file}:${start.line}:${start.column}: ${why}`,
    ),
    ...(hint === undefined ? [] : [hint]),
  ].map(tame);
  const said =
    severity === "error"
      ? element("failure", { type: code, message }, [escaped(lines.join("\n"))])
      : element("system-out", {}, [escaped([`${severity}[${code}]`, ...lines].join("\n"))]);
  return element("testcase", { classname: place?.file ?? "remit", name: message, ...place }, [said]);
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inside: readonly string[] = [],
): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(tame(String(value)))}"`,
  );
  const start = `<${name}${written.join("")}`;
  return inside.length === 0 ? `${start}/>` : `${start}>${inside.join("\n")}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return (
    text
      .replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
      // XML has no such signs. All others that it lacks are visible text by now.
      .replace(/[\ufffe\uffff]/g, "\ufffd")
      // A line of a log that begins with two colons is a command.
      .replace(/^(\s*):(?=:)/gm, "$1&#58;")
  );
}
