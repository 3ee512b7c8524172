import fc from "fast-check";
import { expect, it } from "vitest";
import type { Span } from "../../src/model/diagnostic.js";
import { cases } from "../fakes/cases.js";
import { asUtf8, load } from "./loading.js";

const VALID = `# A review of everything.
apiVersion: remit/v1
kind: TemplateScope
metadata:
  name: q4-privileged-access
  labels: { team: security, <<: &more { tier: "1" } }
  annotations: { remit/protect: "true" }
spec:
  templateId: &id 2fsgTvxP0DVTsNXEUBI7hOe0l5A
  scope:
    celExpression:
      expression: |-
        subject.department == "Engineering" &&
          !(subject.email in ['a@b.c'])
    grantsByCriteria:
      daysSinceLastUsed: 90d
      accessProfileFilter: { filterType: ACCESS_PROFILE_FILTER_TYPE_INCLUDE_SPECIFIC, includedAccessProfileIds: [a] }
  entitlements:
    - { appId: 2fsgTvxP0DVTsNXEUBI7hOe0l5C, appEntitlementId: *id }
    - appId: { name: 'Git''Hub' }
      appEntitlementId: { alias: "github\\u002dadmin" }
---
apiVersion: remit/v1
kind: ResourceType
metadata: { name: github-team }
spec:
  appId: 2fsgTvxP0DVTsNXEUBI7hOe0l5C
  id: 2fsgTvxP0DVTsNXEUBI7hOe0l5E
  displayName: >
    A team
    of people
  traitIds: [2fsgTvxP0DVTsNXEUBI7hOe0l5F]
`;

const TOKENS = [
  ..."\t\r\n \"'\\:-?,[]{}#&*!|>%@`~=<.0aé\u{1f600}\u0000\u0085\u2028\ufeff",
  "---\n",
  "...\n",
  "<<: *id",
  "*id",
  "&id ",
  "!!str ",
  "!!set ",
  "%YAML 1.1\n",
  "__proto__: ",
  "null",
  "0123",
  "|2\n",
  ">+\n",
  "? ",
  "- - - ",
  "{{ x }}",
];

const token = fc.oneof(fc.constantFrom(...TOKENS), fc.string({ unit: "grapheme", maxLength: 3 }));
const at = fc.nat({ max: VALID.length });

/** One change of a text, of the kinds that editors, merges and broken pipes make. */
const mutation: fc.Arbitrary<(text: string) => string> = fc.oneof(
  fc.tuple(at, token).map(
    ([from, put]) =>
      (text: string) =>
        text.slice(0, from) + put + text.slice(from),
  ),
  fc.tuple(at, fc.nat({ max: 40 })).map(
    ([from, length]) =>
      (text: string) =>
        text.slice(0, from) + text.slice(from + length),
  ),
  fc.tuple(at, token).map(
    ([from, put]) =>
      (text: string) =>
        text.slice(0, from) + put + text.slice(from + put.length),
  ),
  at.map((end) => (text: string) => text.slice(0, end)),
  at.map((start) => (text: string) => text.slice(start)),
  fc.tuple(at, at, at).map(
    ([from, to, put]) =>
      (text: string) =>
        text.slice(0, put) + text.slice(from, to) + text.slice(put),
  ),
  fc.tuple(fc.nat({ max: 33 }), fc.nat({ max: 33 })).map(
    ([one, other]) =>
      (text: string) =>
        swapLines(text, one, other),
  ),
  fc.constant((text: string) => text.replaceAll("\n", "\r\n")),
);

function swapLines(text: string, one: number, other: number): string {
  const lines = text.split("\n");
  return lines
    .map((line, index) => (index === one ? lines[other] : index === other ? lines[one] : line) ?? "")
    .join("\n");
}

function isInside({ start, end }: Span, lines: readonly string[]): boolean {
  const fits = ({ line, column }: Span["start"]) =>
    line >= 1 && line <= lines.length && column >= 1 && column <= (lines[line - 1]?.length ?? 0) + 1;
  return (
    fits(start) &&
    fits(end) &&
    (start.line < end.line || (start.line === end.line && start.column <= end.column))
  );
}

it("the text that is changed is a good one", async () => {
  const { value, diagnostics } = await load(VALID);
  expect(diagnostics).toEqual([]);
  expect(value.map(({ address }) => address.kind)).toEqual(["TemplateScope", "ResourceType"]);
});

it("any change of a manifest gives resources, or findings with a place inside the file", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
      const text = asUtf8(mutations.reduce((changed, mutate) => mutate(changed), VALID));
      const lines = text.replace(/^\ufeff/, "").split("\n");
      const { value, diagnostics } = await load(text);
      expect(value.length + diagnostics.length).toBeGreaterThan(0);
      for (const { span, excerpt, related = [], code } of diagnostics) {
        const spans = [span, ...related.map((other) => other.span)];
        for (const one of spans)
          expect(one && isInside(one, lines), `${code} ${JSON.stringify(one)}`).toBe(true);
        const shown = lines[(span?.start.line ?? 0) - 1]?.slice((excerpt?.column ?? 0) - 1) ?? "";
        expect(shown.startsWith(excerpt?.text ?? "?")).toBe(true);
      }
      for (const { place, spec } of value)
        for (const field of Object.keys(spec))
          for (const on of ["name", "value"] as const)
            expect(isInside(place(["spec", field], on).span, lines)).toBe(true);
    }),
    { numRuns: cases(120, 300) },
  );
});

it("any text at all, too", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(token, fc.constantFrom("a", "apiVersion: remit/v1\n", "kind: ResourceType\n", "spec:\n  ")),
        { maxLength: 40 },
      ),
      async (tokens) => {
        const text = asUtf8(tokens.join(""));
        const lines = text.replace(/^\ufeff/, "").split("\n");
        const { diagnostics } = await load(text);
        for (const { span } of diagnostics) expect(span && isInside(span, lines)).toBe(true);
      },
    ),
    { numRuns: cases(120, 300) },
  );
});
