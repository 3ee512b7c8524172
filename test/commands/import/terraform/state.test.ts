import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTerraformState } from "../../../../src/commands/import/terraform/state.js";
import { kinds } from "../../../../src/kinds/index.js";
import type { Json, JsonObject } from "../../../../src/model/json.js";

const TYPE = "conductorone_app_resource_type";

/** A resource type as `terraform show -json` prints it (docs/service/live-reads.md, section H). */
function resource(address: string, more: JsonObject = {}): JsonObject {
  return {
    address,
    mode: "managed",
    type: TYPE,
    name: "one",
    provider_name: "registry.terraform.io/conductorone/conductorone",
    schema_version: 0,
    values: { app_id: "app1", id: "type1", display_name: "Team", resource_type: "CUSTOM", trait_ids: [] },
    sensitive_values: { trait_ids: [] },
    ...more,
  };
}

function shown(resources: readonly JsonObject[], more: JsonObject = {}): string {
  return JSON.stringify({ format_version: "1.0", values: { root_module: { resources } }, ...more });
}

const read = (text: string) => readTerraformState(text, kinds, "state.json");

describe("a state of Terraform", () => {
  it("gives the key, the address and what no read shows, and nothing else", () => {
    const { value, diagnostics } = read(shown([resource(`${TYPE}.one`)]));
    expect(diagnostics).toEqual([]);
    expect(value).toEqual({
      instances: [
        {
          kind: "ResourceType",
          key: ["app1", "type1"],
          address: `${TYPE}.one`,
          resource: `${TYPE}.one`,
          called: "one",
          unseen: { resourceType: "CUSTOM" },
        },
      ],
      skipped: [],
      others: 0,
    });
  });

  it("reads the three resource types, with the attribute names of older providers, too", () => {
    const automation = "conductorone_app_entitlement_automation";
    const setup = "conductorone_access_review_template_setup";
    const newer = { cel: { expression: "true" }, basic: null, none: null, entitlements: null };
    const older = { app_entitlement_automation_rule_cel: { expression: "true" }, deleted_at: null };
    const key = { app_id: "app1", app_entitlement_id: "e1" };
    const { value } = read(
      shown([
        resource(`${automation}.new`, { type: automation, values: { ...key, ...newer } }),
        resource(`${automation}.old`, { type: automation, values: { ...key, ...older } }),
        resource(`${setup}.q4`, {
          type: setup,
          values: { access_review_template_id: "t1", access_review_scope_v2: {} },
        }),
      ]),
    );
    expect(value?.instances.map(({ kind, key, called }) => [kind, key.join("/"), called])).toEqual([
      ["TemplateScope", "t1", "q4"],
      ["EntitlementAutomation", "app1/e1", "new"],
      ["EntitlementAutomation", "app1/e1", "old"],
    ]);
  });

  it("reads webhooks, resources, entitlements and templates, and who owns a template", () => {
    const of = (type: string, values: JsonObject, sensitive: JsonObject = {}) =>
      resource(`conductorone_${type}.one`, {
        type: `conductorone_${type}`,
        values: { display_name: "One", ...values },
        sensitive_values: sensitive,
      });
    const template = (owner_ids: Json) => of("access_review_template", { id: "t1", owner_ids });
    const { value } = read(
      shown([
        of("webhook", { id: "w1" }),
        of("app_resource", { app_id: "a1", app_resource_type_id: "y1", id: "r1" }),
        of("custom_app_entitlement", { app_id: "a1", id: "e1" }),
        of("app_entitlement", { app_id: "a1", id: "e2" }),
        template(["user1", "user2"]),
        ...[["user 1"], [], [1], "user1", null].map(template),
        of("access_review_template", { id: "t1", owner_ids: ["user1"] }, { owner_ids: true }),
        of("access_review_template", { id: "t1", owner_ids: ["user1"] }, { owner_ids: [true] }),
      ]),
    );
    const found = value?.instances.map(({ kind, key, unseen }) => [kind, key.join("/"), unseen]) ?? [];
    expect(found.filter(([kind]) => kind !== "ReviewTemplate")).toEqual([
      ["Entitlement", "a1/e2", {}],
      ["Resource", "a1/y1/r1", {}],
      ["Entitlement", "a1/e1", {}],
      ["Webhook", "w1", {}],
    ]);
    expect(found.filter(([kind]) => kind === "ReviewTemplate")).toEqual([
      ["ReviewTemplate", "t1", { ownerIds: ["user1", "user2"] }],
      ...Array.from({ length: 7 }, () => ["ReviewTemplate", "t1", {}]),
    ]);
  });

  it("reads modules in modules, and any provider of these types", () => {
    const inner = {
      resources: [
        resource(`module.a["x"].module.b.${TYPE}.one[0]`, { provider_name: "registry.opentofu.org/x/y" }),
      ],
    };
    const root = { child_modules: [{ address: "module.a", child_modules: [inner] }] };
    const { value } = read(JSON.stringify({ format_version: "1.0", values: { root_module: root } }));
    expect(value?.instances.map(({ called, resource }) => [called, resource])).toEqual([
      ["a x b one 0", `module.a.module.b.${TYPE}.one`],
    ]);
  });

  it.each([
    ["a data source", { mode: "data" }, "Terraform only reads it (a data source)"],
    ["a deposed object", { deposed_key: "12ab" }, "it is deposed: Terraform replaced it and will delete it"],
    [
      "a key that Terraform hides",
      { sensitive_values: { id: true } },
      "Terraform marks its attribute `id` as sensitive",
    ],
    ["a resource without a key", { values: null }, "its attribute `app_id` is not an id"],
    [
      "a key that changes a URL",
      { values: { app_id: "..", id: "x" } },
      "its attribute `app_id` is not an id",
    ],
    ["an id with a slash", { values: { app_id: "a", id: "x/../y" } }, "its attribute `id` is not an id"],
    [
      "an address of another type",
      { address: "aws_instance.one" },
      "Terraform does not write such an address",
    ],
  ])("leaves out %s, and says why", (_what, more, why) => {
    const { value } = read(shown([resource(`${TYPE}.one`, more)]));
    expect([value?.instances, value?.skipped.map((one) => one.why)]).toEqual([[], [why]]);
  });

  it.each([
    ["null, as after an import", { resource_type: null }],
    ["a text that is no value of an enum", { resource_type: "hunter2 is the password" }],
  ])("leaves out a class that is %s", (_what, values) => {
    const { value } = read(shown([resource(`${TYPE}.one`, { values: { app_id: "a", id: "b", ...values } })]));
    expect(value?.instances.map(({ unseen }) => unseen)).toEqual([{}]);
  });

  it("reads from a saved plan what exists, and never what is planned", () => {
    const planned = { root_module: { resources: [resource(`${TYPE}.planned`)] } };
    const exists = { root_module: { resources: [resource(`${TYPE}.exists`)] } };
    const plan = { format_version: "1.2", planned_values: planned };
    expect(read(JSON.stringify(plan)).value?.instances).toEqual([]);
    const changed = { ...plan, prior_state: { format_version: "1.0", values: exists } };
    expect(read(JSON.stringify(changed)).value?.instances.map(({ called }) => called)).toEqual(["exists"]);
  });

  it("finds nothing in an empty state, and counts what remit does not manage", () => {
    expect(read('{"format_version":"1.0"}').value).toEqual({ instances: [], skipped: [], others: 0 });
    expect(read(shown([resource("aws_instance.x", { type: "aws_instance" })])).value?.others).toBe(1);
  });

  it("reads what Terraform itself wrote", () => {
    const { value } = read(readFileSync(join(import.meta.dirname, "fixture", "state.json"), "utf8"));
    const counts = [value?.instances.length, value?.skipped.length, value?.others];
    expect(counts).toEqual([13, 3, 1]);
    expect(value?.instances.map(({ called }) => called)).toContain(`gov 0 review Q4: it's "new" \${grants}`);
    expect(JSON.stringify(value)).not.toContain("hunter2");
  });

  it.each([
    ["# conductorone_app.x:", "it is not JSON, it breaks off, or it nests too deep"],
    ["[]", "it is not JSON, it breaks off, or it nests too deep"],
    ["{}", "it is not from `terraform show -json`"],
    ['{"version":4,"lineage":"x","resources":[]}', "it is the state itself, whose form belongs to Terraform"],
    ['{"format_version":"2.0"}', "its format is newer than this version of remit"],
    ["[".repeat(5_000), "it is not JSON, it breaks off, or it nests too deep"],
  ])("is not %s", (text, why) => {
    const { value, diagnostics } = read(text);
    expect([value, diagnostics[0]?.code, diagnostics[0]?.message]).toEqual([
      null,
      "terraform/unreadable",
      `state.json cannot be read as a Terraform state: ${why}`,
    ]);
  });

  it("never throws, and lets no other text of the state out", () => {
    const values = fc.dictionary(fc.constantFrom("app_id", "id", "resource_type", "other"), fc.jsonValue());
    const resources = fc.array(
      fc.record({
        address: fc.oneof(fc.constant(`${TYPE}.one`), fc.jsonValue()),
        type: fc.constant(TYPE),
        mode: fc.jsonValue(),
        values,
      }),
    );
    fc.assert(
      fc.property(resources, fc.jsonValue(), (resources, more) => {
        const secret = { token: "hunter2", more };
        const { value } = read(
          shown(resources.map((one) => ({ ...one, values: { ...one.values, secret } })) as JsonObject[]),
        );
        expect(JSON.stringify(value)).not.toContain("hunter2");
      }),
    );
  });
});
