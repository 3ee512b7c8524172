import { byPlace, type Diagnostic, type Severity, type Span } from "../../model/diagnostic.js";
import { type CheckoutOptions, inCheckout } from "./github.js";
import { ruleOf } from "./rules.js";
import { visible, visibleJson } from "./visible.js";

/** What a SARIF log says of the program that made it. */
export interface SarifOptions extends CheckoutOptions {
  readonly version: string;
}

const LEVEL: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", note: "note" };
const ROOT = "%SRCROOT%";

/** Findings as a SARIF 2.1.0 log of one run; those without a place are notifications of the run. */
export function toSarif(diagnostics: readonly Diagnostic[], { version, folder = "" }: SarifOptions): string {
  const sorted = [...diagnostics].sort(byPlace);
  const codes = [...new Set(sorted.map((diagnostic) => diagnostic.code))].sort();
  const ruleIndex = new Map(codes.map((code, index) => [code, index]));
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "remit", version, rules: codes.map(describeRule) } },
        columnKind: "utf16CodeUnits",
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: sorted
              .filter((diagnostic) => diagnostic.span === undefined)
              .map((diagnostic) => ({
                descriptor: { id: diagnostic.code },
                level: LEVEL[diagnostic.severity],
                message: messageOf(diagnostic),
              })),
          },
        ],
        results: sorted.flatMap((diagnostic) =>
          diagnostic.span === undefined
            ? []
            : [
                {
                  ruleId: diagnostic.code,
                  ruleIndex: ruleIndex.get(diagnostic.code),
                  level: LEVEL[diagnostic.severity],
                  message: messageOf(diagnostic),
                  locations: [{ physicalLocation: locate(diagnostic.span, folder) }],
                  relatedLocations: (diagnostic.related ?? []).map((related, id) => ({
                    id,
                    message: { text: literal(related.message) },
                    physicalLocation: locate(related.span, folder),
                  })),
                },
              ],
        ),
      },
    ],
  };
  return `${visibleJson(log)}\n`;
}

function describeRule(code: string): object {
  const { title, help } = ruleOf(code);
  return { id: code, shortDescription: { text: title }, help: { text: help } };
}

function messageOf({ message, hint }: Diagnostic): object {
  return { text: literal(hint === undefined ? message : `${message}. ${hint}`) };
}

// SARIF 2.1.0 §3.11.6: `[text](target)` in a message is a link; a value must not become one.
function literal(text: string): string {
  return visible(text).replaceAll("](", "] (");
}

function locate(span: Span, folder: string): object {
  const inRoot = span.file !== "-" && !/^(?:\/|[A-Za-z]:)/.test(span.file);
  const path = inRoot ? inCheckout(span.file, folder) : span.file === "-" ? "stdin" : span.file;
  return {
    artifactLocation: { uri: encodePath(path), ...(inRoot ? { uriBaseId: ROOT } : {}) },
    region: {
      startLine: span.start.line,
      startColumn: span.start.column,
      endLine: span.end.line,
      endColumn: span.end.column,
    },
  };
}

function encodePath(path: string): string {
  return path
    .replaceAll(/\p{Surrogate}/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
}
