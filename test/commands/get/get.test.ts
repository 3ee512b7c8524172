import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { plan } from "../../../src/apply/preview.js";
import { readSeed } from "../../../src/cli/open/sandboxInput.js";
import { type GetChoice, getObjects } from "../../../src/commands/get/objects.js";
import { formatCallPath } from "../../../src/model/call.js";
import { memoryContents, memoryStore } from "../../../src/state/memory.js";
import { StateError, type Store } from "../../../src/state/store.js";
import type { Client } from "../../../src/tenant/client/client.js";
import { requestFor } from "../../apply/request.js";
import { checkedClient, refusal } from "../../fakes/checkedClient.js";
import { fakeClock } from "../../fakes/clock.js";
import { directClient } from "../../fakes/directClient.js";

const { tenant } = readSeed(readFileSync("examples/brownfield/seed.yaml", "utf8"), "seed.yaml");
const app = (name: string) => tenant.apps.find(({ displayName }) => displayName === name)?.id ?? "";

/** Reads the brownfield tenant, for a project of these manifests. */
function reading(
  manifests: string | null = null,
  store: Partial<Store> = {},
  on: "full" | "core" = "full",
  served = tenant,
  refused: string | null = null,
) {
  const clock = fakeClock();
  const direct = directClient({ tenant: served, on }, clock);
  const { writes } = direct;
  const paths: string[] = [];
  const checked = checkedClient(direct.client, (call) => {
    if (call.path.at(-1) === refused) throw refusal(call, 403);
  });
  const client: Client = {
    ...checked,
    pages(call, options) {
      paths.push(`${call.method} ${formatCallPath(call)}`);
      return checked.pages(call, options);
    },
  };
  const memory = memoryStore(memoryContents(), clock);
  const session = { store: { ...memory, ...store }, client, clock, requestTimeout: 0, createLag: 0 };
  return {
    writes,
    paths,
    async get(choice: Partial<GetChoice>, apps: Readonly<Record<string, string>> = {}) {
      const asked = requestFor(manifests, { interface: on });
      const { project } = asked;
      const request = { ...asked, project: { ...project, manifests: { ...project.manifests, apps } } };
      const order = {
        request,
        choice: { objects: [], lists: [], values: [], ...choice },
        progress: () => undefined,
      };
      const { value, diagnostics } = await getObjects(order, session);
      const texts: string[] = [];
      for await (const text of value?.texts() ?? []) texts.push(text);
      const found = (value?.objects ?? []).map(({ address: { kind, name } }) => `${kind}/${name}`);
      return {
        found,
        objects: value?.objects ?? [],
        lists: value?.lists ?? [],
        values: value?.values ?? [],
        texts,
        diagnostics,
      };
    },
    planned: (text: string) => plan(requestFor(text), session),
  };
}

const TYPE = `apiVersion: remit/v1
kind: ResourceType
metadata: { name: crew }
spec: { appId: { name: Finance Tools }, displayName: Team }
`;

describe("what the tenant contains", () => {
  it("is found by a pattern of the names that a manifest would have", async () => {
    const { get } = reading();
    const some = (kind: string, only: string) => get({ objects: [{ kind, only }] });
    expect((await some("TemplateScope", "quarterly-*")).found).toEqual([
      "TemplateScope/quarterly-review-wone",
      "TemplateScope/quarterly-review-wtwo",
      "TemplateScope/quarterly-review-xybm",
    ]);
    expect((await some("ResourceType", "team-on*")).found).toEqual(["ResourceType/team-on-call"]);
    expect((await some("ResourceType", "zz*")).found).toEqual([]);
    const both = await get({
      objects: [
        { kind: "ResourceType", only: "door*" },
        { kind: "ResourceType", only: "Fleet" },
      ],
    });
    expect(both.found).toContain("ResourceType/door");
    expect(both.found.length).toBe((await some("ResourceType", "Fleet")).found.length + 1);
  });

  it("is given as manifests that change nothing, with what remit leaves alone", async () => {
    const { get, planned, writes } = reading();
    const { texts, diagnostics } = await get({
      objects: ["ResourceType", "EntitlementAutomation", "TemplateScope"].map((kind) => ({
        kind,
        only: null,
      })),
    });
    expect([texts.length, diagnostics]).toEqual([159, []]);
    expect(texts.filter((text) => text.startsWith("# remit leaves this object alone: "))).toHaveLength(25);
    const { value } = await planned(texts.join("---\n"));
    expect(new Set(value?.steps.map(({ action }) => action))).toEqual(new Set(["adopt", "keep"]));
    expect(writes).toEqual([]);
  });

  it("is found by the address of a manifest without an id, and has its name wherever it is found", async () => {
    const { get } = reading(TYPE);
    const byAddress = await get({ objects: [{ kind: "ResourceType", only: "crew" }] });
    expect(byAddress.found).toEqual(["ResourceType/crew"]);
    const [one] = byAddress.objects;
    const key = one?.observed.key.join("/") ?? "";
    const byKey = await get({ objects: [{ kind: "ResourceType", only: key }] });
    expect(byKey.objects).toEqual([{ ...one, address: { kind: "ResourceType", name: "crew" } }]);
    const twice = await get({
      objects: [
        { kind: "ResourceType", only: key },
        { kind: "ResourceType", only: app("Finance Tools") },
      ],
    });
    expect(twice.found.filter((name) => name === "ResourceType/crew")).toHaveLength(1);
  });

  it("is named without a state that cannot be read, with a warning; lists do not ask for it", async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      throw new StateError({ code: "state/damaged", severity: "error", message: "damaged", hint: "none" });
    };
    const { get } = reading(null, { read });
    const { found, diagnostics } = await get({ objects: [{ kind: "ResourceType", only: "Okta" }] });
    expect([found.length, diagnostics.map(({ severity }) => severity)]).toEqual([3, ["warning"]]);
    expect((await get({ lists: [{ of: "riskLevel", only: null }] })).lists).toHaveLength(1);
    expect(reads).toBe(1);
  });

  it("is searched for a person by e-mail address or id, and listed for a pattern", async () => {
    const [mia] = tenant.users.filter(({ email }) => email === "mia@fernhill.example");
    const { get, paths } = reading();
    for (const only of ["mia@fernhill.example", mia?.id ?? "", "mia@*", "Mia Holt"]) {
      const { lists } = await get({ lists: [{ of: "user", only }] });
      expect(lists[0]?.rows.map(({ id }) => id)).toEqual([mia?.id]);
    }
    expect(new Set(paths)).toEqual(new Set(["POST /api/v1/search/users", "GET /api/v1/users"]));
    expect(paths.filter((path) => path.startsWith("POST"))).toHaveLength(2);
  });

  it("is found by a further e-mail address of a person", async () => {
    const [one] = tenant.users.filter(({ email }) => email === "mia@fernhill.example");
    const users = tenant.users.map((user) =>
      user === one ? { ...user, emails: [String(user.email), "mia.holt@old.example"] } : user,
    );
    const { get } = reading(null, {}, "full", { ...tenant, users });
    for (const only of ["mia.holt@old.example", "*@old.example"]) {
      const { lists } = await get({ lists: [{ of: "user", only }] });
      expect(lists[0]?.rows.map(({ id }) => id)).toEqual([one?.id]);
    }
  });

  it("is on core what core lists: the entitlements of an app that the project names", async () => {
    const { get } = reading(null, {}, "core");
    const lists = [{ of: "entitlement" as const, only: "Okta" }];
    const { lists: found } = await get({ lists }, { Okta: app("Okta") });
    expect(found[0]?.rows.length).toBeGreaterThan(3);
    expect(found[0]?.rows[0]?.app).toEqual({ id: app("Okta"), name: "Okta" });
    expect((await get({ lists: [{ of: "entitlement", only: null }] })).diagnostics).toMatchObject([
      { code: "reference/unseen", severity: "error" },
    ]);
  });

  it("does not say that the tenant has no template where a list of them could not be read", async () => {
    const listed = async (refused: string | null) => {
      const { get } = reading(null, {}, "full", { ...tenant, campaigns: [] }, refused);
      return (await get({ lists: [{ of: "template", only: null }] })).lists;
    };
    expect(await listed(null)).toMatchObject([{ rows: [{}, {}], isWhole: true }]);
    expect(await listed("automations")).toMatchObject([{ of: "template", rows: [], isWhole: false }]);
  });

  it("does not say that an object is not there where a list was not read to its end", async () => {
    const missing = TYPE.replace("displayName: Team", "displayName: Nothing is called so");
    const codes = async (refused: string | null) => {
      const { get } = reading(missing, {}, "full", tenant, refused);
      const { diagnostics } = await get({ objects: [{ kind: "ResourceType", only: "crew" }] });
      return diagnostics.map(({ code }) => code);
    };
    expect(await codes(null)).toEqual(["command/not-in-tenant"]);
    expect(await codes("resource_types")).not.toContain("command/not-in-tenant");
  });

  it("does not say that nothing has a name where no list of names is offered", async () => {
    const { get } = reading(null, {}, "core");
    const { diagnostics } = await get({ objects: [{ kind: "TemplateScope", only: "quarterly" }] });
    expect(diagnostics).toMatchObject([{ code: "service/not-offered", severity: "error" }]);
  });
});
