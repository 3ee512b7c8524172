import { describe, expect, it } from "vitest";
import { plan } from "../../src/apply/preview.js";
import type { JsonObject } from "../../src/model/json.js";
import { BUILT_IN_TYPES } from "../../src/sandbox/collections/attributes.js";
import { ROOT } from "../../src/sandbox/tenant/store.js";
import { EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { line } from "../plan/worlds.js";
import { applied, codes, guards, planned, type SessionScene, sessionScene } from "./sessionScene.js";

const MODE = { offline: false, refreshOnly: false, prune: false, cascade: [], targets: [], selector: null };
const TEMPLATE = "2fsgTvxP0DVTsNXEUBI7hOe0l5T";

/** A sort of object with a name: where the tenant keeps it, what it is called by, and a scope that names one. */
interface Sort {
  readonly table: "users" | "catalogs" | "attributes";
  readonly field: string;
  readonly row: JsonObject;
  readonly scope: string;
  readonly by: string;
}

const ids = { one: "2fsgTvxP0DVTsNXEUBI7hOe0l1E", two: "2fsgTvxP0DVTsNXEUBI7hOe0l2E" } as const;

const SORTS: readonly (readonly [string, Sort])[] = [
  [
    "user",
    {
      table: "users",
      field: "email",
      row: { displayName: "Ana Ruiz", status: "ENABLED" },
      scope: "userCriteria: { managerUserIds: [{ email: one }] }",
      by: "e-mail address",
    },
  ],
  [
    "access profile",
    {
      table: "catalogs",
      field: "displayName",
      row: {},
      scope:
        "grantsByCriteria: { accessProfileFilter: { filterType: ACCESS_PROFILE_FILTER_TYPE_INCLUDE_SPECIFIC, includedAccessProfileIds: [{ name: one }] } }",
      by: "name",
    },
  ],
  [
    "risk level",
    {
      table: "attributes",
      field: "value",
      row: { attributeTypeId: BUILT_IN_TYPES.riskLevel },
      scope: "appSelectionCriteria: { riskLevelAttributeValueIds: [{ name: one }] }",
      by: "name",
    },
  ],
  [
    "compliance framework",
    {
      table: "attributes",
      field: "value",
      row: { attributeTypeId: BUILT_IN_TYPES.complianceFramework },
      scope: "appSelectionCriteria: { complianceFrameworkAttributeValueIds: [{ name: one }] }",
      by: "name",
    },
  ],
];

function manifest(scope: string, templateId = TEMPLATE): string {
  return `apiVersion: remit/v1
kind: TemplateScope
metadata: { name: review }
spec:
  templateId: ${templateId}
  scope: { ${scope} }
`;
}

const campaign = (number: number, accessReviewTemplateId: string) => ({
  id: `campaign${number}`,
  displayName: "Q4",
  accessReviewTemplateId,
  entitlements: [],
});
const setup = (templateId: string) => ({ templateId, entitlements: [], resourceTypeSelections: [] });

describe.each(SORTS)("the name of a %s", (noun, sort) => {
  const text = manifest(sort.scope);
  const put = ({ sandbox }: SessionScene, which: keyof typeof ids, called: string) =>
    sandbox.store[sort.table].put(ROOT, ids[which], { id: ids[which], ...sort.row, [sort.field]: called });

  async function scene() {
    const begun = await sessionScene("full", {
      sandbox: {
        tenant: {
          ...EMPTY_TENANT,
          open: false,
          templates: [{ id: TEMPLATE, displayName: "Review" }],
          setups: [setup(TEMPLATE)],
          [sort.table]: (["one", "two"] as const).map((called) => ({
            id: ids[called],
            ...sort.row,
            [sort.field]: called,
          })),
        },
      },
    });
    expect(await applied(begun, text)).toBe("applied");
    expect((await planned(begun, text)).steps.map(line)).toEqual(["keep TemplateScope/review: in sync"]);
    return begun;
  }

  it("keeps its meaning where another one gets it, and is remembered offline", async () => {
    const begun = await scene();
    put(begun, "two", "one");
    const again = await planned(begun, text);
    expect(again.steps.map(line)).toEqual(["keep TemplateScope/review: in sync"]);
    expect([codes(again), guards(again)]).toEqual([["reference/remembered"], []]);
    const offline = await planned(begun, text, { mode: { ...MODE, offline: true } });
    expect(offline.steps.map(line)).toEqual(["keep TemplateScope/review: in sync"]);
    // Without memory, several things have the name.
    const fresh = await plan(begun.request(text.replace("name: review", "name: other")), begun.session);
    expect(fresh.diagnostics).toMatchObject([
      { code: "reference/ambiguous", message: expect.stringContaining(`have the ${sort.by} "one"`) },
    ]);
  });

  it("that only another one has is shown, and a guard asks", async () => {
    const begun = await scene();
    put(begun, "one", "old");
    put(begun, "two", "one");
    const moved = await planned(begun, text);
    expect(moved.steps.map(line)).toEqual(["set TemplateScope/review: differs"]);
    expect([codes(moved), guards(moved)]).toEqual([["reference/moved"], ["reference-moved"]]);
    expect(moved.findings[0]?.message).toBe(
      `the ${noun} with the ${sort.by} "one" was ${ids.one} at the last apply, and is ${ids.two} now`,
    );
    expect(await applied(begun, text, { acknowledgements: [] })).toBe("refused");
    expect(await applied(begun, text)).toBe("applied");
    expect((await planned(begun, text)).findings).toEqual([]);
  });
});

describe("the name of a template", () => {
  const text = manifest("allUsers: {}", "{ name: one }");
  const tenantOf = async () => {
    const begun = await sessionScene("full", {
      sandbox: {
        tenant: {
          ...EMPTY_TENANT,
          open: false,
          templates: [
            { id: ids.one, displayName: "one" },
            { id: ids.two, displayName: "two" },
          ],
          setups: [setup(ids.one), setup(ids.two)],
          campaigns: [campaign(1, ids.one), campaign(2, ids.two)],
        },
      },
    });
    expect(await applied(begun, text)).toBe("applied");
    return begun;
  };
  const put = ({ sandbox }: SessionScene, which: keyof typeof ids, displayName: string) =>
    sandbox.store.templates.put(ROOT, ids[which], { id: ids[which], displayName });

  it("that only another one has is a replacement, and nothing is deleted", async () => {
    const begun = await tenantOf();
    put(begun, "one", "old");
    put(begun, "two", "one");
    const moved = await planned(begun, text);
    expect(moved.steps.map(line)).toEqual([
      "replace TemplateScope/review: differs",
      `removed TemplateScope/review@${ids.one}: replaced`,
    ]);
    expect(guards(moved)).toContain("reference-moved");
  });

  it("keeps its meaning where another one gets it, and is remembered offline", async () => {
    const begun = await tenantOf();
    put(begun, "two", "one");
    const again = await planned(begun, text);
    expect([again.steps.map(line), codes(again)]).toEqual([
      ["keep TemplateScope/review: in sync"],
      ["reference/remembered"],
    ]);
    const offline = await planned(begun, text, { mode: { ...MODE, offline: true } });
    expect(offline.steps.map(line)).toEqual(["keep TemplateScope/review: in sync"]);
  });

  it("and the id of the same template in another manifest are the same object twice", async () => {
    const begun = await tenantOf();
    const both = `${text}---\n${manifest("allUsers: {}", ids.one).replace("name: review", "name: other")}`;
    const { value, diagnostics } = await plan(begun.request(both), begun.session);
    expect([value, diagnostics.map(({ code }) => code)]).toEqual([null, ["plan/same-object"]]);
  });
});
