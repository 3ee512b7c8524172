import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { authored } from "../../src/author/authored.js";
import { manuscript } from "../../src/author/manuscript.js";
import { manifestCheck } from "../../src/kinds/check.js";
import { kinds } from "../../src/kinds/index.js";
import { normaliseWritten } from "../../src/kinds/normalise.js";
import { formatText } from "../../src/manifest/format/formatText.js";
import { writeManifest } from "../../src/manifest/format/write.js";
import { parse } from "../../src/manifest/parse/parse.js";
import { isObject, type JsonObject } from "../../src/model/json.js";
import type { SpecShape } from "../../src/schema/shape.js";
import { IDENTITY } from "../commands/accept/acceptLaw.js";
import { cases } from "../fakes/cases.js";
import { anySpec, withoutEmpty } from "../kinds/specs.js";

function textOf(kind: string, spec: JsonObject, comments: readonly string[] = []): string {
  return writeManifest({ kind, name: "one", spec, schema: "../schemas/one.json", comments });
}

/** The shape without what no read shows, because an import leaves out a field with it. */
function withoutHidden<M extends Pick<SpecShape, "fields" | "groups">>(shape: M): M {
  const fields = new Map(
    [...shape.fields]
      .filter(([, field]) => field.type !== "marker" || field.selects !== "elsewhere")
      .map(([name, field]) => [name, field.type === "object" ? withoutHidden(field) : field]),
  );
  const groups = shape.groups.map((group) => ({
    ...group,
    members: group.members.filter((name) => fields.has(name)),
  }));
  return { ...shape, fields, groups: groups.filter(({ members }) => members.length > 0) };
}

describe("a manifest that import writes", () => {
  it.each(kinds.map((kind) => [kind.name, kind] as const))(
    "of a %s says what the object is, and no more",
    (name, kind) => {
      const { shape } = kind;
      const fixed = [...shape.identity, ...shape.createOnly, ...shape.requestOnly];
      const seen = new Set<string>();
      fc.assert(
        fc.property(fc.oneof(anySpec(shape, fixed), anySpec(withoutHidden(shape), fixed)), (spec) => {
          const written = normaliseWritten(withoutEmpty(spec, kind.schema, IDENTITY[name]), shape);
          // Its one spelling may leave a criterion without a value: `{ endDate: "" }`.
          const whole = withoutEmpty(written, kind.schema, IDENTITY[name]);
          const own = Object.entries(whole).filter(
            ([field]) => ![...shape.identity, ...shape.always].includes(field),
          );
          const fields = Object.fromEntries(own);
          const { fields: said, leftOut } = authored(fields, shape);
          const left = leftOut.map(({ field }) => field);
          expect(
            leftOut.filter(({ why }) => !/^the service does not show what \S+ selects$/.test(why)),
          ).toEqual([]);
          expect(Object.keys(said).filter((field) => left.includes(field))).toEqual([]);
          const text = textOf(name, { ...IDENTITY[name], ...said });
          const [document] = parse({ file: "one.yaml", text, named: true }).value;
          const value = document?.value ?? null;
          if (!isObject(value) || !isObject(value.spec ?? null)) throw new Error(text);
          // What one object may not be together, the service refuses, so that no tenant has it.
          const faults = manifestCheck(name)?.(value) ?? [];
          expect(faults.filter(({ code }) => !code.startsWith("policy/"))).toEqual([]);
          const again = normaliseWritten(value.spec as JsonObject, shape);
          for (const field of Object.keys(said)) {
            seen.add(field);
            expect(again[field]).toEqual(fields[field]);
          }
          expect(formatText({ file: "one.yaml", text, named: true }).value).toBe(text);
        }),
        { numRuns: cases(20) },
      );
      // A law about empty manifests would hold of anything.
      expect([...seen].sort()).toEqual(
        [...shape.fields.keys()].filter((field) => !fixed.includes(field)).sort(),
      );
    },
  );

  it("holds an expression byte for byte, in a block or in quotes", () => {
    for (const expression of [
      "a == 'x' &&\n  b == 'y'\n",
      "a\tb ",
      "\u0000",
      "# no comment",
      "x: y",
      "a\r\nb",
      "a\u009bb\nc",
      "\u0085\u2028\ufeff",
    ]) {
      const text = textOf("EntitlementAutomation", { cel: { expression } });
      const [document] = parse({ file: "one.yaml", text, named: true }).value;
      expect(document?.value).toMatchObject({ spec: { cel: { expression } } });
      expect(text).not.toContain("\r");
    }
  });

  it("spells what reorders or hides text on a reviewer's screen as an escape, and means the same", () => {
    for (const hidden of [
      "\u202e",
      "\u2066",
      "\u200b",
      "\u200f",
      "\u061c",
      "\u00ad",
      "\u2060",
      "\u{e0041}",
    ]) {
      const expression = `subject.department == "A${hidden}B"`;
      const lines = `a\n${expression}\n`;
      for (const text of [expression, lines, hidden]) {
        const written = textOf("EntitlementAutomation", { displayName: text, cel: { expression: text } });
        expect(written).not.toContain(hidden);
        const [document] = parse({ file: "one.yaml", text: written, named: true }).value;
        expect(document?.value).toMatchObject({ spec: { displayName: text, cel: { expression: text } } });
      }
    }
  });

  it("leaves out a field with content that remit has no name for, and says so", () => {
    const scope = kinds.find(({ name }) => name === "TemplateScope");
    if (scope === undefined) throw new Error("the kind is gone");
    const { fields, leftOut } = authored(
      { scope: { futureScope: { a: 1 } }, entitlements: [{ appId: "a", appEntitlementId: "e" }] },
      scope.shape,
    );
    expect(Object.keys(fields)).toEqual(["entitlements"]);
    expect(leftOut).toEqual([{ field: "scope", why: "remit has no name for scope.futureScope" }]);
  });

  it.each([
    "resourceTypeSelections",
    "resourceSelection",
    "scopeRoleSelection",
    "specificAccessConflicts",
    "excludedSpecificResources",
  ])("leaves out a scope with %s, because no read shows what it selects", (marker) => {
    const scope = kinds.find(({ name }) => name === "TemplateScope");
    if (scope === undefined) throw new Error("the kind is gone");
    const { fields, leftOut } = authored({ scope: { allUsers: {}, [marker]: {} } }, scope.shape);
    expect(fields).toEqual({});
    expect(leftOut).toEqual([
      { field: "scope", why: `the service does not show what scope.${marker} selects` },
    ]);
  });

  it.each([
    [{ grantsByCriteria: { grantsAddedBetween: {} } }, "grantsAddedBetween is empty"],
    [{ userCriteria: {} }, "userCriteria is empty"],
    [
      { allUsers: {}, userCriteria: { userStatus: ["ENABLED"] } },
      "allUsers and userCriteria cannot both be set",
    ],
  ])("leaves out a scope that an author may not write, and says why: %j", (scope, why) => {
    const kind = kinds.find(({ name }) => name === "TemplateScope");
    if (kind === undefined) throw new Error("the kind is gone");
    const entitlements = [
      { appId: "2fsgTvxP0DVTsNXEUBI7hOe0l5A", appEntitlementId: "2fsgTvxP0DVTsNXEUBI7hOe0l5B" },
    ];
    const observed = { key: ["2fsgTvxP0DVTsNXEUBI7hOe0l5A"], fields: { scope, entitlements }, unseen: {} };
    const text = manuscript(kind, observed, "one", { calledBy: () => undefined, schema: null });
    expect(text).toContain(`# Left out: scope, because a manifest cannot hold it: ${why}`);
    const [document] = parse({ file: "one.yaml", text, named: true }).value;
    expect(document?.value).toMatchObject({ spec: { entitlements } });
    expect(manifestCheck("TemplateScope")?.(document?.value ?? null)).toEqual([]);
  });

  it("keeps a comment a comment, whatever a tenant's names contain", () => {
    const text = textOf("ResourceType", { displayName: "x" }, ["one\nkind: Other\u2028two"]);
    expect(parse({ file: "one.yaml", text, named: true }).value).toHaveLength(1);
    expect(text).toContain("# one\n# kind: Other\n# two\n");
  });
});
