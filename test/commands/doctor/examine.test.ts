import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readSeed } from "../../../src/cli/open/sandboxInput.js";
import { examine, mayWrite } from "../../../src/commands/doctor/examine.js";
import { kinds } from "../../../src/kinds/index.js";
import { type Call, formatCallPath } from "../../../src/model/call.js";
import type { Client } from "../../../src/tenant/client/client.js";
import { ApiError, NO_REPLY } from "../../../src/tenant/client/error.js";
import { checkedClient, refusal } from "../../fakes/checkedClient.js";
import { fakeClock } from "../../fakes/clock.js";
import { directClient } from "../../fakes/directClient.js";

const seed = readSeed(readFileSync("examples/brownfield/seed.yaml", "utf8"), "seed.yaml");
const webhooks = [
  { id: "2fernhillWebhook00000000000", displayName: "Desk", url: "https://desk.example.com" },
];
const tenant = { ...seed.tenant, webhooks };
const ALL: ReadonlySet<string> = new Set();
const OPERATOR = "2fernhillOperator0000000000";

/** A service that refuses the calls whose path ends so, and says whose credentials these are. */
function service(refused: readonly string[], roles: readonly string[] = ["system/role:super-admin"]) {
  const { client, writes } = directClient({ tenant }, fakeClock());
  const check = (call: Call) => {
    const path = formatCallPath(call);
    if (refused.some((end) => path.endsWith(end)))
      throw refusal(call, 403, `${call.method} ${path}: answered 403`);
  };
  const known: Client = {
    ...client,
    async send(call, options) {
      if (!formatCallPath(call).endsWith("/introspect")) return client.send(call, options);
      return { status: 200, body: { userId: OPERATOR, roles: [...roles] }, attempts: 1 };
    },
  };
  return { client: checkedClient(known, check), writes };
}

async function answers(refused: readonly string[]) {
  const { client, writes } = service(refused);
  const { features } = await examine(client, { asked: "auto", snapshot: null, used: ALL });
  expect(writes).toEqual([]);
  return Object.fromEntries(
    (features ?? []).map(({ name, reads }) => [name, reads.map(({ answer }) => answer)] as const),
  );
}

describe("an examination", () => {
  it("finds everything readable where nothing is refused, and writes nothing", async () => {
    const found = await answers([]);
    expect(new Set(Object.values(found).flat())).toEqual(new Set(["yes"]));
    expect(Object.keys(found)).toEqual([...kinds.map(({ name }) => name), "names", "people"]);
  });

  it.each<[string, readonly string[]]>([
    ["/access_reviews", ["ReviewTemplate", "TemplateScope", "names"]],
    ["/api/v1/automations", ["TemplateScope"]],
    ["/scope_and_entitlements", ["TemplateScope"]],
    ["/automation", ["EntitlementAutomation"]],
    ["/search/entitlements", ["EntitlementAutomation"]],
    ["/resource_types", ["ResourceType", "names"]],
    ["/api/v1/webhooks", ["Webhook"]],
    ["/api/v1/apps", ["names"]],
    ["/entitlements", ["names"]],
    ["/search/users", ["names", "people"]],
    ["/catalogs", ["names"]],
    ["/risk_levels", ["names"]],
    ["/compliance_frameworks", ["names"]],
    ["/grants", ["people"]],
    ["/exclusions", ["people"]],
    ["/app_users", ["people"]],
    ["/introspect", ["people"]],
  ])("names the features that need %s", async (path, names) => {
    const found = await answers([path]);
    const refused = Object.entries(found).filter(([, reads]) => reads.includes("refused"));
    expect(refused.map(([name]) => name).sort()).toEqual(expect.arrayContaining([...names].sort()));
    // Nothing is said to fail that only had nothing to be tried with.
    expect(Object.values(found).flat()).not.toContain("failed");
  });

  it("tries no object on core", async () => {
    const { client } = service([]);
    const { features } = await examine(client, { asked: "core", snapshot: null, used: ALL });
    const planning = features?.filter(({ write }) => write !== null) ?? [];
    expect(planning.map(({ reads }) => reads)).toEqual([[], [], []]);
  });

  it("tries what the kinds of the project need, and no other kind", async () => {
    const { client } = service([]);
    const used = new Set(["TemplateScope", "Webhook"]);
    const { features } = await examine(client, { asked: "auto", snapshot: null, used });
    expect(features?.map(({ name }) => name)).toEqual(["Webhook", "TemplateScope", "names", "people"]);
  });

  it("looks for no object of a kind that is not needed", async () => {
    const asked: string[] = [];
    const client = checkedClient(service([]).client, (call) => void asked.push(formatCallPath(call)));
    await examine(client, { asked: "auto", snapshot: null, used: new Set(["Webhook"]) });
    // Names are looked up in it once.
    expect(asked.filter((path) => path === "/api/v1/search/app_resources")).toHaveLength(1);
  });

  it("ends where the service gives no token for the credentials", async () => {
    const { client } = service([]);
    const refuse = async (call: Call) => {
      const facts = { next: "stop", progress: "never sent", attempts: 0, status: 401, own: true } as const;
      throw new ApiError("no token", { ...NO_REPLY, ...facts, call });
    };
    const { features, why } = await examine(
      { ...client, send: refuse },
      { asked: "auto", snapshot: null, used: ALL },
    );
    expect([features, why]).toEqual([null, expect.stringContaining("wrong client id or secret")]);
  });
});

describe("an examination with a token that the service does not know", () => {
  it("ends with what the service said", async () => {
    const { client } = service([]);
    const { features, why } = await examine(
      unknownTo(client, () => true),
      { asked: "auto", snapshot: null, used: ALL },
    );
    expect([features, why]).toEqual([null, expect.stringContaining("answered 401")]);
  });

  it("goes on where only one path is refused so", async () => {
    const { client } = service([]);
    const only = unknownTo(client, (call) => formatCallPath(call).endsWith("/introspect"));
    const { features } = await examine(only, { asked: "auto", snapshot: null, used: ALL });
    expect(features).toHaveLength(kinds.length + 2);
  });
});

/** A client whose token the service does not know on some paths. */
function unknownTo(client: Client, is: (call: Call) => boolean): Client {
  return checkedClient(client, (call) => {
    if (is(call)) throw refusal(call, 401, `${call.method} ${formatCallPath(call)}: answered 401`);
  });
}

describe("what roles may write", () => {
  const writers = { every: ["Super Admin"], own: ["Campaign Admin"] };
  it.each([
    [["system/role:super-admin"], "by role"],
    [["Super Admin"], "by role"],
    [["system/role:read-only-super-admin"], "not by role"],
    [["system/role:campaign-admin"], "own by role"],
    [["system/role:campaign-admin", "system/role:super-admin"], "by role"],
    [["2fsgTvxP0DVTsNXEUBI7hOe0l5A"], "unknown"],
    [[], "unknown"],
  ])("%j: %s", (roles, answer) => {
    expect(mayWrite(writers, roles).answer).toBe(answer);
  });
  it("is unknown where the documentation names no role", () => {
    expect(mayWrite(null, ["system/role:super-admin"])).toMatchObject({ answer: "unknown" });
  });
});
