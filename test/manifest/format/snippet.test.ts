import fc from "fast-check";
import { expect, it } from "vitest";
import { unitsOf } from "../../../src/diff/own.js";
import { withoutUnnamed } from "../../../src/diff/unnamed.js";
import { kinds } from "../../../src/kinds/index.js";
import { normaliseWritten } from "../../../src/kinds/normalise.js";
import { formatText } from "../../../src/manifest/format/formatText.js";
import { snippetOf } from "../../../src/manifest/format/write.js";
import { checkAll } from "../../../src/manifest/load.js";
import { parse } from "../../../src/manifest/parse/parse.js";
import { NO_VOCABULARY } from "../../../src/manifest/vocabulary.js";
import { isObject, type Json, type JsonObject } from "../../../src/model/json.js";
import { valueAt } from "../../../src/model/path.js";
import { anyOf } from "../../plan/arbitrary.js";

const asObject = (value: Json | undefined): JsonObject =>
  isObject(value ?? null) ? (value as JsonObject) : {};
const source = (text: string) => ({ file: "a.yaml", text, named: true });

/** The lines as an author puts them into a manifest. */
function manifestWith(kind: string, identity: readonly string[], lines: readonly string[]): string {
  const ids = identity.map((name) => `  ${name}: 2fsgTvxP0DVTsNXEUBI7hOe0l5A\n`).join("");
  const spec = lines.map((line) => (line === "" ? "\n" : `  ${line}\n`)).join("");
  return `apiVersion: remit/v1\nkind: ${kind}\nmetadata:\n  name: a\nspec:\n${ids}${spec}`;
}

it.each(kinds)(
  "lines of fields are exact YAML, and a manifest with them says the same: $name",
  ({ name, shape }) => {
    fc.assert(
      fc.property(anyOf(shape), (any) => {
        const spec = isObject(any) ? any : {};
        const fields = Object.entries(normaliseWritten(spec, shape));
        const written = Object.fromEntries(fields.filter(([field]) => !shape.identity.includes(field)));
        const text = manifestWith(name, [], snippetOf(written));
        const [document] = parse(source(text)).value;
        expect(document?.diagnostics).toEqual([]);
        const read = isObject(document?.value) ? document.value.spec : null;
        expect(read ?? {}).toEqual(written);
      }),
      { numRuns: 60 },
    );
  },
);

it.each(["yes", "012", "2024-01-01", " a", "a: b", "a #b", "null", "", "two\nlines\n", "- x", "é\u0007"])(
  "a text stays a text: %j",
  (description) => {
    const [document] = parse(source(snippetOf({ description }).join("\n"))).value;
    expect(document?.value).toEqual({ description });
  },
);

it("lines are laid out as remit fmt does", () => {
  const lines = snippetOf({ displayName: "Old", traitIds: ["x"] });
  const text = manifestWith("ResourceType", [], lines);
  expect(formatText(source(text)).value).toBe(text);
});

/** The service has a value for these at any time, as for what a manifest must say, so none of them was ever unset. */
// Without its steps a policy would deny everything.
const NEVER_UNSET = [
  "Webhook callbackTimeout",
  "Entitlement purpose",
  "Policy policySteps",
  "App identityMatching",
];

it("null clears every field that can be owned, so a field that was not set can be restored", () => {
  const faulty = kinds.flatMap(({ name, shape, schema }) => {
    const example = asObject(valueAt(schema, ["examples", 0, "spec"]));
    const needed = [valueAt(schema, ["$defs", "spec", "required"]) ?? []].flat().map(String);
    const others = needed.filter((field) => !shape.identity.includes(field));
    return unitsOf(shape).flatMap(({ members, shape: unit }) => {
      const member = members.find((one) => unit.fields.has(one) && unit.fields.get(one)?.type !== "marker");
      const written = Object.fromEntries(others.map((field) => [field, example[field] ?? null]));
      const text = manifestWith(name, shape.identity, snippetOf({ ...written, [member ?? ""]: null }));
      const { diagnostics } = checkAll([source(text)], NO_VOCABULARY);
      return diagnostics.length === 0 ? [] : [`${name} ${member}`];
    });
  });
  const required = kinds.flatMap(({ name, shape }) => shape.required.map((field) => `${name} ${field}`));
  expect(faulty.toSorted()).toEqual([...NEVER_UNSET, ...required].toSorted());
});

it("what remit has no name for is left out of what an author can write", () => {
  const scope = kinds.find(({ name }) => name === "TemplateScope");
  if (scope === undefined) throw new Error("no such kind");
  const shown = {
    scope: { allUsers: { later: 1 }, futureScope: {}, userCriteria: { userStatus: ["ENABLED"], more: true } },
    entitlements: [{ appId: "a", appEntitlementId: "b", note: "c" }],
    other: 1,
  };
  expect(withoutUnnamed(shown, scope.shape)).toEqual({
    scope: { allUsers: {}, userCriteria: { userStatus: ["ENABLED"] } },
    entitlements: [{ appId: "a", appEntitlementId: "b" }],
  });
});
