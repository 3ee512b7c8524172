import { byPlace, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { groupBy } from "../../model/groupBy.js";
import { relatedLine } from "../diagnostics/brief.js";
import { type CheckoutOptions, inCheckout } from "../diagnostics/checkout.js";
import { tame } from "../text/visible.js";

/**
 * Diagnostics as a report of JUnit, which GitLab, Jenkins and others read: one test case for the run, and one for each
 * check of a file. The name of a case does not change with its result, so that a reader sees what fails for the first
 * time. A case with an error fails; what else it says is its output.
 */
export function toJunit(
  diagnostics: readonly Diagnostic[],
  { folder = "" }: CheckoutOptions = {},
  headline: string | null = null,
): string {
  const checks = groupBy([...diagnostics].sort(byPlace), (one) =>
    JSON.stringify([fileOf(one, folder), nameOf(one)]),
  );
  const cases = [...checks.values()].map((about) => caseOf(about, folder));
  const failures = [...checks.values()].filter(hasErrors).length;
  const counts = { tests: cases.length + 1, failures, errors: 0, skipped: 0 };
  const said = headline === null ? [] : [element("system-out", {}, [escaped(tame(headline))])];
  const run = element("testcase", { classname: "remit", name: "the run" }, said);
  const suite = element("testsuite", { name: "remit", ...counts }, [run, ...cases]);
  const { skipped: _, ...all } = counts;
  const suites = element("testsuites", { name: "remit", ...all }, [suite]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${suites}\n`;
}

function nameOf({ check, code }: Diagnostic): string {
  return check ?? code;
}

/** The file that a diagnostic is about; null for none. */
function fileOf({ span }: Diagnostic, folder: string): string | null {
  return span === undefined || span.file === "-" ? null : inCheckout(span.file, folder);
}

/** The case of a check, from what was found about it. */
function caseOf(about: readonly Diagnostic[], folder: string): string {
  const [first] = about as readonly [Diagnostic, ...Diagnostic[]];
  const file = fileOf(first, folder);
  const place = file === null || first.span === undefined ? null : { file, line: first.span.start.line };
  const errors = about.filter(({ severity }) => severity === "error");
  const others = about.filter(({ severity }) => severity !== "error");
  const [error] = errors;
  const failure =
    error === undefined
      ? []
      : [
          element("failure", { type: error.code, message: errors.map(({ message }) => message).join("; ") }, [
            escaped(errors.map(textOf).join("\n")),
          ]),
        ];
  const output = others.map((one) => `${one.severity}[${one.code}]\n${textOf(one)}`);
  return element("testcase", { classname: file ?? "remit", name: nameOf(first), ...place }, [
    ...failure,
    ...(output.length === 0 ? [] : [element("system-out", {}, [escaped(output.join("\n"))])]),
  ]);
}

function textOf({ message, hint, related = [] }: Diagnostic): string {
  return [message, ...related.map(relatedLine), ...(hint === undefined ? [] : [hint])].map(tame).join("\n");
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inside: readonly string[],
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
