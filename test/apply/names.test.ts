import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plan } from "../../src/apply/preview.js";
import { type Call, formatCallPath } from "../../src/model/call.js";
import type { JsonObject } from "../../src/model/json.js";
import type { Plan } from "../../src/plan/plan.js";
import { BUILT_IN_TYPES } from "../../src/sandbox/collections/attributes.js";
import { EMPTY_TENANT, type Tenant } from "../../src/sandbox/tenant/tenant.js";
import { memoryContents, memoryStore } from "../../src/state/memory.js";
import type { Client } from "../../src/tenant/client/client.js";
import { refusal } from "../fakes/checkedClient.js";
import { fakeClock } from "../fakes/clock.js";
import { directClient } from "../fakes/directClient.js";
import { requestFor } from "./request.js";

/** What has a name, and the field that takes it. */
const SORTS = ["template", "user", "profile", "risk", "framework"] as const;
type Sort = (typeof SORTS)[number];

interface Thing {
  readonly sort: Sort;
  readonly id: string;
  readonly name: string;
  readonly isGone: boolean;
  /** Of a template: whether a campaign was started from it. */
  readonly isListed: boolean;
}

const idOf = (sort: Sort, number: number) => `2${sort}${"0".repeat(24 - sort.length)}${10 + number}`;
const GONE = { deletedAt: "2026-01-01T00:00:00Z" };

function tenantOf(things: readonly Thing[]): Tenant {
  const of = (sort: Sort) => things.filter((thing) => thing.sort === sort);
  const gone = ({ isGone }: Thing): JsonObject => (isGone ? GONE : {});
  const values = (sort: Sort, attributeTypeId: string) =>
    of(sort).map((one) => ({ id: one.id, attributeTypeId, value: one.name, ...gone(one) }));
  return {
    ...EMPTY_TENANT,
    open: false,
    templates: of("template").map((one) => ({ id: one.id, displayName: one.name, ...gone(one) })),
    setups: of("template").map(({ id }) => ({
      templateId: id,
      entitlements: [],
      resourceTypeSelections: [],
    })),
    campaigns: of("template")
      .filter(({ isListed }) => isListed)
      .map(({ id }, at) => ({
        id: `campaign${at}`,
        displayName: "Q4",
        accessReviewTemplateId: id,
        state: "ACCESS_REVIEW_STATE_OPEN",
        entitlements: [],
      })),
    users: of("user").map((one) => ({
      id: one.id,
      displayName: "Ana Ruiz",
      email: one.name,
      status: one.isGone ? "DELETED" : "ENABLED",
    })),
    catalogs: of("profile").map((one) => ({ id: one.id, displayName: one.name, ...gone(one) })),
    attributes: [
      ...values("risk", BUILT_IN_TYPES.riskLevel),
      ...values("framework", BUILT_IN_TYPES.complianceFramework),
    ],
  };
}

type Write = (thing: Thing) => string | JsonObject;
const byId: Write = ({ id }) => id;
const byName: Write = ({ sort, name }) => (sort === "user" ? { email: name } : { name });

/** A manifest that points at some things; the first template is what it is about. */
function manifest(chosen: readonly Thing[], write: Write): string {
  const all = (sort: Sort) => chosen.filter((thing) => thing.sort === sort).map(write);
  const [templateId = idOf("template", 0)] = all("template");
  const lists = {
    risk: all("risk"),
    framework: all("framework"),
    profile: all("profile"),
    user: all("user"),
  };
  const when = (list: readonly unknown[], member: JsonObject): JsonObject =>
    list.length === 0 ? {} : member;
  const scope: JsonObject = {
    appSelectionCriteria: {
      ...when(lists.framework, { complianceFrameworkAttributeValueIds: lists.framework }),
      riskLevelAttributeValueIds: [...lists.risk, "2always"],
    },
    ...when(lists.user, { userCriteria: { managerUserIds: lists.user } }),
    ...when(lists.profile, {
      grantsByCriteria: {
        accessProfileFilter: {
          filterType: "ACCESS_PROFILE_FILTER_TYPE_INCLUDE_SPECIFIC",
          includedAccessProfileIds: lists.profile,
        },
      },
    }),
  };
  return JSON.stringify({
    apiVersion: "remit/v1",
    kind: "TemplateScope",
    metadata: { name: "one" },
    spec: { templateId, scope },
  });
}

/** What a plan does, apart from what it remembers of the names. */
function doneBy({ steps }: Plan) {
  return steps.map(({ key, action, calls, before, after, sight: { fingerprint } }) => {
    return { key, action, calls, before, after, fingerprint };
  });
}

/** The paths that show names, one of which may be refused. */
const LISTS = [
  "access_reviews",
  "access_review_template/",
  "search/users",
  "catalogs",
  "risk_levels",
  "compliance_frameworks",
];

/** A client that is refused some paths; from the second page on where the list breaks in the middle. */
function refusing(client: Client, refused: string | null): Client {
  const isRefused = (call: Call) => {
    const path = formatCallPath(call);
    return refused !== null && path.includes(refused) && !path.includes("scope_and_entitlements");
  };
  return {
    ...client,
    async send(call, options) {
      if (isRefused(call)) throw refusal(call, 403);
      return client.send(call, options);
    },
    async *pages(call, options) {
      for await (const page of client.pages(call, options)) {
        // Half of a page came, and the rest is refused.
        const rows = page.rows.slice(0, Math.ceil(page.rows.length / 2));
        yield isRefused(call) ? { rows, next: "refused" } : page;
      }
      if (isRefused(call)) throw refusal(call, 403);
    },
  };
}

async function planned(tenant: Tenant, text: string, refused: string | null) {
  const clock = fakeClock();
  const { client } = directClient({ tenant }, clock);
  const session = {
    store: memoryStore(memoryContents(), clock),
    client: refusing(client, refused),
    clock,
    requestTimeout: 0,
    createLag: 0,
  };
  const { value, diagnostics } = await plan(requestFor(text), session);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return { plan: value, codes: [...new Set(errors.map(({ code }) => code))], diagnostics };
}

const things = fc
  .uniqueArray(
    fc.record({
      sort: fc.constantFrom(...SORTS),
      number: fc.nat(4),
      name: fc.constantFrom("High", "high", "Low", "Q4 ", "Ann=a/b", "Übung"),
      isGone: fc.boolean(),
      isListed: fc.boolean(),
    }),
    { minLength: 1, maxLength: 9, selector: ({ sort, number }) => `${sort} ${number}` },
  )
  .map((all) =>
    all.map(({ sort, number, name, isGone, isListed }): Thing => {
      const called =
        sort === "user"
          ? `${name
              .trim()
              .toLowerCase()
              .replaceAll(/[^a-z]/g, "")}@example.test`
          : name;
      return { sort, id: idOf(sort, number), name: called, isGone: isGone && number > 2, isListed };
    }),
  );

/** The template that each tenant has, and no other has its name. */
const THE_ONE: Thing = {
  sort: "template",
  id: idOf("template", 9),
  name: "The one",
  isGone: false,
  isListed: true,
};

/** The one thing that has the name, as the service's lists show it; undefined where that is none or several. */
function meantBy({ sort, name }: Thing, all: readonly Thing[]): Thing | undefined {
  const found = all.filter(
    (one) => one.sort === sort && one.name === name && !one.isGone && (sort !== "template" || one.isListed),
  );
  return found.length === 1 ? found[0] : undefined;
}

describe("a manifest with names in every position", () => {
  it("has the plan that it has with ids, or is refused with a reason", async () => {
    const counts = { same: 0, unclear: 0, unread: 0 };
    const law = fc.asyncProperty(
      things,
      fc.option(fc.constantFrom(...LISTS), { freq: 3 }),
      async (others, refused) => {
        const all = [THE_ONE, ...others];
        const tenant = tenantOf(all);
        const [about = THE_ONE] = others.filter(({ sort }) => sort === "template");
        const chosen = [about, ...others.filter(({ sort }) => sort !== "template")];
        const meant = chosen.flatMap((one) => meantBy(one, all) ?? []);
        const isClear = meant.length === chosen.length;
        const { plan: named, codes } = await planned(tenant, manifest(chosen, byName), refused);
        if (named === null) {
          // It was refused for the names, or for the list that was not read; a failed read never means a missing object.
          expect(codes.length).toBeGreaterThan(0);
          if (isClear)
            expect([refused, codes]).toEqual([expect.any(String), [expect.stringMatching(/^service\//)]]);
          counts[isClear ? "unread" : "unclear"] += 1;
          return;
        }
        expect(isClear).toBe(true);
        const plain = await planned(tenant, manifest(meant, byId), null);
        if (plain.plan === null) throw new Error(JSON.stringify(plain.diagnostics));
        expect(doneBy(named)).toEqual(doneBy(plain.plan));
        counts.same += 1;
      },
    );
    const runs = Number(process.env.NAMES_RUNS ?? 50);
    await fc.assert(law, { numRuns: runs, ...(runs === 50 && { seed: 14 }) });
    if (runs > 150) process.stdout.write(`${JSON.stringify(counts)}\n`);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(runs / 30);
  });
});

describe("one manifest with names", () => {
  it("serves two tenants, each with its own ids", async () => {
    const named: readonly Thing[] = [
      THE_ONE,
      ...(["user", "profile", "risk", "framework"] as const).map((sort) => {
        const name = sort === "user" ? "ana@example.test" : "High";
        return { sort, id: idOf(sort, 1), name, isGone: false, isListed: true };
      }),
    ];
    const elsewhere = named.map((thing) => ({ ...thing, id: thing.id.replace(/^2/, "3") }));
    const text = manifest(named, byName);
    for (const things of [named, elsewhere]) {
      const { plan: made } = await planned(tenantOf(things), text, null);
      const plain = await planned(tenantOf(things), manifest(things, byId), null);
      if (made === null || plain.plan === null) throw new Error("no plan");
      expect(doneBy(made)).toEqual(doneBy(plain.plan));
      expect(Object.values(made.names).sort()).toEqual([
        "High",
        "High",
        "High",
        "The one",
        "ana@example.test",
      ]);
    }
  });
});
