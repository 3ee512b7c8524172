import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { slugOf } from "../../../../src/author/naming.js";
import { readTerraformAddress } from "../../../../src/commands/import/terraform/state.js";

describe("an address of Terraform", () => {
  it.each([
    ["t.one", "t.one", "one"],
    ['t.many["team"]', "t.many", "many-team"],
    ["t.cnt[0]", "t.cnt", "cnt-0"],
    ['module.gov[0].t.many["Team A"]', "module.gov.t.many", "gov-0-many-team-a"],
    ['module.a["x.y"].module.b.t.one', "module.a.module.b.t.one", "a-x-y-b-one"],
    ['t.many["a\\"]b.c[\\\\"]', "t.many", "many-a-b-c"],
    ['t.many["$${x} \\n caf\\u00e9"]', "t.many", "many-x-cafe"],
    ["t.équipe-1", "t.équipe-1", "equipe-1"],
  ])("%s is the resource %s, and names %s", (text, resource, name) => {
    const address = readTerraformAddress(text);
    expect([address?.type, address?.resource, slugOf(address?.words.join(" ") ?? "")]).toEqual([
      "t",
      resource,
      name,
    ]);
  });

  it.each([
    "",
    "t",
    "t.one.",
    "t..one",
    "t[0].one",
    "data.t.one",
    "module.t.one",
    "module[0].gov.t.one",
    "t.one; rm -rf /",
    "t.one\n",
    't.many["a\nb"]',
    't.many["open]',
    "t.many['a']",
    't.many["\u202e"]',
    `t.${"x".repeat(3_000)}`,
  ])("is not %j", (text) => {
    expect(readTerraformAddress(text)).toBeNull();
  });

  it("gives a configuration nothing but names and dots, whatever the state says", () => {
    const part = fc.oneof(
      fc.constantFrom("module", ".", "[", "]", '"', "\\", "t", "0", "}", "\n", "'"),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const resource = readTerraformAddress(parts.join(""))?.resource ?? "t.one";
        expect(resource).toMatch(/^[\p{L}\p{N}_.-]+$/u);
      }),
    );
  });
});
