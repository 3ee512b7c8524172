import { plan } from "../../src/apply/preview.js";
import { apply } from "../../src/apply/run.js";
import { formatCallPath } from "../../src/model/call.js";
import type { Checked } from "../../src/model/diagnostic.js";
import type { JsonObject } from "../../src/model/json.js";
import { guardNames } from "../../src/plan/guards/guards.js";
import type { Planned } from "../../src/plan/plan.js";
import { BUILT_IN_TYPES } from "../../src/sandbox/collections/attributes.js";
import { EMPTY_TENANT, type Tenant } from "../../src/sandbox/tenant/tenant.js";
import { type MemoryContents, memoryContents, memoryStore } from "../../src/state/memory.js";
import type { Client } from "../../src/tenant/client/client.js";
import { checkedClient, refusal } from "../fakes/checkedClient.js";
import { fakeClock } from "../fakes/clock.js";
import { directClient } from "../fakes/directClient.js";
import { orderFor } from "./order.js";
import { requestFor } from "./request.js";

/** What has a name and may be in a list of many pages. */
export const SORTS = ["app", "entitlement", "template", "profile"] as const;
export type Sort = (typeof SORTS)[number];

/** An object, and its name; two objects of one sort may have the same. */
export interface Thing {
  readonly sort: Sort;
  readonly id: string;
  readonly name: string;
}

const ID_LENGTH = 27;

/** An id of the service's form. */
export function idOf(word: string, number: number): string {
  return `2${word}${String(number).padStart(ID_LENGTH - 1 - word.length, "0")}`;
}

/** The app whose id the manifests write, where they do not write its name. */
export const APP = idOf("home", 1);
const USERS = ["ana@example.test", "bo@example.test"];
export const USER = USERS[0] ?? "";
export const RISK = "High";

/** A tenant with some things, each among so many others that the list has several pages. */
export function tenantOf(things: readonly Thing[], others: number): Tenant {
  const all = (sort: Sort) => [
    ...Array.from({ length: others }, (_, at) => ({ id: idOf(`x${sort}`, at), name: `other ${at}` })),
    ...things.filter((thing) => thing.sort === sort),
  ];
  const templates = all("template");
  return {
    ...EMPTY_TENANT,
    open: false,
    apps: [...all("app"), { id: APP, name: "home" }].map(({ id, name }) => ({ id, displayName: name })),
    entitlements: [APP, ...things.filter(({ sort }) => sort === "app").map(({ id }) => id)].flatMap((appId) =>
      all("entitlement").map(({ id, name }) => ({
        appId,
        id,
        displayName: name,
        alias: `${name}-alias`,
        slug: `${name} slug`,
      })),
    ),
    templates: templates.map(({ id, name }) => ({ id, displayName: name })),
    setups: templates.map(({ id }) => ({ templateId: id, entitlements: [], resourceTypeSelections: [] })),
    campaigns: templates.map(({ id }, at) => ({
      id: idOf("campaign", at),
      displayName: "Q4",
      accessReviewTemplateId: id,
      state: "ACCESS_REVIEW_STATE_OPEN",
      entitlements: [],
    })),
    catalogs: all("profile").map(({ id, name }) => ({ id, displayName: name })),
    users: USERS.map((email, at) => ({ id: idOf("user", at), displayName: "Ana", email, status: "ENABLED" })),
    attributes: [{ id: idOf("risk", 1), attributeTypeId: BUILT_IN_TYPES.riskLevel, value: RISK }],
  };
}

/** What a scope of a template points at. */
export interface Pointers {
  readonly template?: string | JsonObject;
  readonly profile?: string | JsonObject;
  readonly app?: string | JsonObject;
  readonly entitlement?: string | JsonObject;
  readonly user?: string | JsonObject;
  readonly risk?: string | JsonObject;
}

/** A manifest of one scope that points at some things. */
export function manifest({ template = idOf("xtemplate", 0), profile, app = APP, ...rest }: Pointers): string {
  const { entitlement = idOf("xentitlement", 0), user = idOf("user", 0), risk = idOf("risk", 1) } = rest;
  const filter = {
    filterType: "ACCESS_PROFILE_FILTER_TYPE_INCLUDE_SPECIFIC",
    includedAccessProfileIds: [profile ?? idOf("xprofile", 0)],
  };
  return JSON.stringify({
    apiVersion: "remit/v1",
    kind: "TemplateScope",
    metadata: { name: "one" },
    spec: {
      templateId: template,
      scope: {
        appSelectionCriteria: { riskLevelAttributeValueIds: [risk] },
        userCriteria: { managerUserIds: [user] },
        grantsByCriteria: { accessProfileFilter: filter },
      },
      entitlements: [{ appId: app, appEntitlementId: entitlement }],
    },
  });
}

/** A project that is planned and applied against one tenant after the other, with one state. */
export interface Story {
  readonly planned: (
    tenant: Tenant,
    text: string,
    refused?: string | null,
  ) => Promise<Checked<Planned | null>>;
  /** Applies, and gives the paths of what was written. */
  readonly applied: (tenant: Tenant, text: string) => Promise<readonly string[]>;
}

/** Begins a story without a state, or with a copy of that one. */
export function story(contents: MemoryContents = memoryContents()): Story {
  const clock = fakeClock();
  const acknowledgements = guardNames.map((guard) => ({ by: "flag", guard, address: null }) as const);
  const asked = (text: string) => requestFor(text, { acknowledgements, interface: "full" });
  const sessionOf = (client: Client) => {
    return { store: memoryStore(contents, clock), client, clock, requestTimeout: 0, createLag: 0 };
  };
  return {
    planned(tenant, text, refused = null) {
      return plan(asked(text), sessionOf(refusing(directClient({ tenant }, clock).client, refused)));
    },
    async applied(tenant, text) {
      const direct = directClient({ tenant }, clock);
      const done = await apply(orderFor(asked(text)), sessionOf(direct.client));
      if (done.as !== "applied") throw new Error(JSON.stringify(done));
      return direct.writes.map((call) => formatCallPath(call));
    },
  };
}

/** A client that is refused the paths that contain a word. */
function refusing(client: Client, refused: string | null): Client {
  return checkedClient(client, (call) => {
    if (refused !== null && formatCallPath(call).includes(refused)) throw refusal(call, 403);
  });
}
