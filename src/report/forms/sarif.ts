import { byPlace, type Diagnostic, hasErrors, type Span } from "../../model/diagnostic.js";
import { helpOf, rowOf } from "../../words/sections.js";
import { withHint } from "../diagnostics/brief.js";
import { type CheckoutOptions, inCheckout } from "../diagnostics/checkout.js";
import { boundedJson, visible } from "../text/visible.js";

/** What a SARIF log says about the program that made it. */
interface SarifOptions extends CheckoutOptions {
  readonly version: string;
}

const ROOT = "%SRCROOT%";

type Placed = Diagnostic & { readonly span: Span };

/** Diagnostics as a SARIF 2.1.0 log of one run; diagnostics without a place are notifications of the run. */
export function toSarif(diagnostics: readonly Diagnostic[], { version, folder = "" }: SarifOptions): string {
  const sorted = [...diagnostics].sort(byPlace);
  const unplaced = sorted.filter((diagnostic) => !isPlaced(diagnostic));
  const codes = [...new Set(sorted.map((diagnostic) => diagnostic.code))].sort();
  const run = {
    tool: { driver: { name: "remit", version, rules: codes.map(describeRule) } },
    columnKind: "utf16CodeUnits",
    invocations: [
      {
        // An error without a place is not a result, so a reader of only the results would think that the run was good.
        executionSuccessful: !hasErrors(unplaced),
        toolExecutionNotifications: unplaced.map(toNotification),
      },
    ],
    results: sorted.filter(isPlaced).map((diagnostic) => ({
      ...toResult(diagnostic, folder),
      ruleIndex: codes.indexOf(diagnostic.code),
    })),
  };
  const schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return boundedJson({ $schema: schema, version: "2.1.0", runs: [run] });
}

function isPlaced(diagnostic: Diagnostic): diagnostic is Placed {
  return diagnostic.span !== undefined;
}

// The levels of SARIF have the names of remit's severities.
function toNotification(diagnostic: Diagnostic): object {
  const { code, severity } = diagnostic;
  return { descriptor: { id: code }, level: severity, message: messageOf(diagnostic) };
}

function toResult(diagnostic: Placed, folder: string): object {
  return {
    ruleId: diagnostic.code,
    level: diagnostic.severity,
    message: messageOf(diagnostic),
    locations: [{ physicalLocation: locate(diagnostic.span, folder) }],
    relatedLocations: (diagnostic.related ?? []).map((related, id) => ({
      id,
      message: { text: literal(related.message) },
      physicalLocation: locate(related.span, folder),
    })),
  };
}

function describeRule(code: string): object {
  const row = rowOf(code);
  return {
    id: code,
    shortDescription: { text: row.title },
    help: { text: helpOf(row) },
    defaultConfiguration: { level: row.severity },
  };
}

function messageOf(diagnostic: Diagnostic): object {
  return { text: literal(withHint(diagnostic)) };
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
