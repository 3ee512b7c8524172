import type { Evaluate } from "../../../src/impact/census.js";
import { checkAll } from "../../../src/manifest/load.js";
import type { Source } from "../../../src/manifest/source.js";
import { NO_VOCABULARY } from "../../../src/manifest/vocabulary.js";
import { readTests } from "../../../src/people/test/document.js";
import { readied, verdictsOn } from "../../../src/people/test/test.js";

export const TODAY = new Date(Date.UTC(2026, 10, 20));
export const evaluate: Evaluate = (work) => ({ value: work(), milliseconds: 1 });

export function source(file: string, text: string): Source {
  return { file, text, named: true };
}

/** An automation of the entitlement with an alias; `more` is JSON without its outer braces. */
export function automation(name: string, more: string): string {
  return `{"apiVersion":"remit/v1","kind":"EntitlementAutomation","metadata":{"name":"${name}"},"spec":{"appId":{"name":"C1"},"appEntitlementId":{"alias":"${name}"},"displayName":"${name}",${more}}}`;
}

export const cel = (expression: string) => `"cel":{"expression":${JSON.stringify(expression)}}`;

/** The problems of the tests of a text on the rules of others, one list for each expectation. */
export function told(rules: readonly string[], spec: object): readonly (readonly string[])[] {
  const written = rules.map((text, at) => source(`rules/${at}.json`, text));
  const { resources, diagnostics } = checkAll(written, NO_VOCABULARY);
  const errors = diagnostics.filter(({ diagnostic }) => diagnostic.severity === "error");
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  const test = { apiVersion: "remit/v1", kind: "Test", metadata: { name: "t" }, spec };
  const read = readTests([source("tests/t.yaml", JSON.stringify(test))]);
  if (read.diagnostics.length > 0) return [read.diagnostics.map(({ code, message }) => `${code} ${message}`)];
  const ready = readied(read.value, resources, {}, TODAY);
  if (ready.diagnostics.length > 0)
    return [ready.diagnostics.map(({ code, message }) => `${code} ${message}`)];
  return verdictsOn(ready.value, evaluate).map(({ diagnostics: found }) =>
    found.map(({ code, message, hint }) => `${code} ${message}${hint === undefined ? "" : ` = ${hint}`}`),
  );
}
