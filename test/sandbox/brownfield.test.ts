import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { told, visit } from "./visit.js";

const SOURCE = readFileSync("examples/brownfield/seed.yaml", "utf8");
const { tenant } = readSeed(SOURCE, "seed.yaml");
const { ask } = visit({ tenant });

type Row = { readonly [name: string]: never };

/** Every row of a list, page by page. */
function rows(method: "GET" | "POST", path: string, body: object = {}): readonly Row[] {
  const found: Row[] = [];
  let token = "";
  do {
    const query = method === "GET" ? `?page_size=100&page_token=${token}` : "";
    const sent = method === "GET" ? undefined : { ...body, pageSize: 100, pageToken: token };
    const reply = ask(method, `${path}${query}`, sent as never);
    expect(reply.status).toBe(200);
    found.push(...(told(reply, "list") as unknown as readonly Row[]));
    token = String(told(reply, "nextPageToken"));
  } while (token !== "");
  return found;
}

const at = (row: Row, ...path: readonly string[]) => told({ status: 200, headers: {}, body: row }, ...path);

describe("the brownfield tenant", () => {
  it("passes its schema", () => {
    const schema = JSON.parse(readFileSync("schemas/seed.json", "utf8"));
    const validate = new Ajv2020({ strict: false }).compile(schema);
    validate(parse(SOURCE));
    expect(validate.errors ?? []).toEqual([]);
  });

  it("has 30 templates; 28 are found by campaigns, 1 by a workflow, 1 by nothing", () => {
    expect(tenant.templates.filter((row) => row.deletedAt === undefined)).toHaveLength(30);
    const cut = new Set(
      rows("GET", "/api/v1/access_reviews").map((row) => at(row, "accessReview", "accessReviewTemplateId")),
    );
    const reads = [...cut].filter(Boolean).map((id) => ask("GET", `/api/v1/access_review_template/${id}`));
    expect(reads.filter((reply) => reply.status === 200)).toHaveLength(28);
    expect(reads.filter((reply) => reply.status === 404)).toHaveLength(2);
    expect(cut.has("")).toBe(true);
    const named = rows("GET", "/api/v1/automations").flatMap((row) => JSON.stringify(row));
    const left = tenant.templates.filter((row) => row.deletedAt === undefined && !cut.has(row.id));
    expect(left.map((row) => row.displayName).sort()).toEqual(["Known to a workflow alone", "Never started"]);
    expect(left.filter((row) => named.some((text) => text.includes(row.id)))).toHaveLength(1);
  });

  it("has 66 automations, 4 of them managed by access profiles, and one that was deleted", () => {
    const found = rows("POST", "/api/v1/search/entitlements", { isAutomated: true });
    expect(found).toHaveLength(66);
    const reads = found.map((row) =>
      ask("GET", `/api/v1/apps/${C1_APP_ID}/entitlements/${at(row, "appEntitlement", "id")}/automation`),
    );
    const managed = reads.filter((read) =>
      told(read, "AppEntitlementAutomation", "managedByRequestCatalogId"),
    );
    expect(managed).toHaveLength(4);
    expect(tenant.automations).toHaveLength(67);
    const names = reads.map((read) => told(read, "AppEntitlementAutomation", "displayName"));
    expect(names.filter((name) => name === "Leads").length).toBeGreaterThan(10);
    expect(names.filter((name) => name === "").length).toBeGreaterThan(10);
  });

  it("has 43 types of its own, beside those of connectors and those that are built in", () => {
    const apps = rows("GET", "/api/v1/apps");
    const manual = new Set(apps.filter((row) => at(row, "isManuallyManaged")).map((row) => at(row, "id")));
    const types = rows("POST", "/api/v1/search/app_resource_types");
    const own = types.filter(
      (row) => manual.has(at(row, "appId")) && at(row, "displayName") !== "Credential",
    );
    expect(own).toHaveLength(43);
    expect(own.filter((row) => at(row, "displayName") === "Team").length).toBeGreaterThan(4);
    const byConnector = new Set(
      apps.filter((row) => Number(at(row, "connectorVersion")) > 0).map((row) => at(row, "id")),
    );
    const ofConnectors = types.filter((row) => byConnector.has(at(row, "appId")));
    expect(ofConnectors.length).toBeGreaterThan(5);
    expect(types.filter((row) => at(row, "displayName") === "Credential")).toHaveLength(apps.length);
    expect(apps.filter((row) => at(row, "displayName") === "C1")).toHaveLength(2);
  });

  it("has names that clash, and a client that may read campaigns and no people", () => {
    const names = tenant.templates.map((row) => String(row.displayName).toLowerCase());
    expect(names.filter((name) => name === "quarterly review")).toHaveLength(3);
    const people = tenant.users.map((row) => row.displayName);
    expect(people.filter((name) => name === "Jon Reyes")).toHaveLength(2);
    expect(rows("POST", "/api/v1/search/attributes", { value: "high" })).toHaveLength(2);
  });
});
