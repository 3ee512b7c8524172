import type { Interface } from "../../src/kinds/interface.js";
import type { Json, JsonObject } from "../../src/model/json.js";
import type { Sandbox } from "../../src/sandbox/http/server.js";
import { C1_APP_ID, EMPTY_TENANT, type Tenant } from "../../src/sandbox/tenant/tenant.js";
import { idOf } from "../fakes/many.js";
import type { Manifest } from "../fakes/project.js";

const APP = idOf("app", 1);
const TEAM = idOf("team", 1);
const REVIEW = idOf("review", 1);
const [ENGINEERS, SALES] = [idOf("group", 1), idOf("group", 2)] as const;
const ROLES = [1, 2, 3].map((number) => idOf("role", number));

/** The tenant before anything was applied. */
export const TENANT: Tenant = {
  ...EMPTY_TENANT,
  open: false,
  apps: [
    { id: C1_APP_ID, displayName: "C1" },
    { id: APP, displayName: "GitHub" },
  ],
  entitlements: [
    ...[ENGINEERS, SALES].map((id) => ({ appId: C1_APP_ID, id, displayName: id })),
    ...ROLES.map((id) => ({ appId: APP, id, displayName: id })),
  ],
  resourceTypes: [{ appId: APP, id: TEAM, displayName: "Old team", resourceType: "CUSTOM" }],
  templates: [{ id: REVIEW, displayName: "Review" }],
};

/** One stop of a story: what is wanted, and what else happens on the way. */
export interface World {
  readonly name: string;
  readonly wanted: readonly Manifest[];
  readonly flags?: readonly string[];
  /** What another program does in the tenant before. */
  readonly meddle?: (sandbox: Sandbox) => void;
  /** Where the tenant cannot be as desired, because another program decides or it cannot be seen. */
  readonly unlike?: readonly Interface[];
  /** What else must be true of the tenant. */
  readonly look?: (sandbox: Sandbox, spoken: Interface) => Json;
  readonly seen?: Json | Readonly<Record<Interface, Json>>;
}

const automation = (place: string, spec: JsonObject, name = "engineers"): Manifest => ({
  kind: "EntitlementAutomation",
  name,
  spec: { appId: C1_APP_ID, appEntitlementId: place, ...spec },
});
const team = (spec: JsonObject): Manifest => ({
  kind: "ResourceType",
  name: "team",
  spec: { appId: APP, id: TEAM, ...spec },
});
const review = (scope: JsonObject, entitlements: readonly string[]): Manifest => ({
  kind: "TemplateScope",
  name: "review",
  spec: {
    templateId: REVIEW,
    scope: { specificResources: {}, ...scope },
    entitlements: entitlements.map((appEntitlementId) => ({ appId: APP, appEntitlementId })),
  },
});
/** Only where the service can be asked to make one. */
const made = (traitIds: readonly string[]): Manifest => ({
  kind: "ResourceType",
  name: "made",
  spec: { appId: APP, displayName: "Made", resourceType: "CUSTOM", traitIds },
});

const cel = (department: string) => ({ cel: { expression: `subject.department == "${department}"` } });
const engineers = { displayName: "Engineers", description: "Whoever builds." };
const builders = { displayName: "Engineers of all kinds", basic: { expression: "true" } };
const sales = automation(SALES, { displayName: "Sales", ...cel("Sales") }, "sales");
const allUsers = { allUsers: {} };
const some = { celExpression: { expression: 'subject.department == "Risk"' } };
const trait = idOf("trait", 1);

/** What the tenant says of the automation of engineers. */
const described = ({ store }: Sandbox): Json =>
  store.automations.get(C1_APP_ID, ENGINEERS)?.description ?? null;
const traits = ({ store }: Sandbox): Json => store.resourceTypes.get(APP, TEAM)?.traitIds ?? [];
const isSalesThere = ({ store }: Sandbox): Json => {
  const row = store.automations.get(C1_APP_ID, SALES);
  return row !== undefined && (row.deletedAt ?? null) === null;
};

const last = [automation(ENGINEERS, builders, "builders"), team({ displayName: "Teams" }), review(some, [])];

/** A story of one tenant, from its first set of manifests on. */
export const STORY: readonly World[] = [
  {
    name: "the first set",
    wanted: [
      automation(ENGINEERS, { ...engineers, ...cel("Engineering") }),
      sales,
      team({ displayName: "Team", traitIds: [trait] }),
      made([trait]),
      review(allUsers, ROLES.slice(0, 2)),
    ],
  },
  {
    name: "edits",
    wanted: [
      automation(ENGINEERS, { ...engineers, displayName: "Engineers of all kinds", ...cel("R&D") }),
      sales,
      team({ displayName: "Teams", traitIds: [trait, idOf("trait", 2)] }),
      made([idOf("trait", 2)]),
      review(allUsers, ROLES),
    ],
  },
  {
    name: "another member of a one-of",
    wanted: [
      automation(ENGINEERS, { ...engineers, ...builders }),
      sales,
      team({ displayName: "Teams", traitIds: [trait, idOf("trait", 2)] }),
      made([idOf("trait", 2)]),
      review(some, ROLES),
    ],
  },
  {
    name: "lists that are cleared",
    wanted: [
      automation(ENGINEERS, { ...engineers, ...builders }),
      sales,
      team({ displayName: "Teams", traitIds: [] }),
      made([]),
      review(some, []),
    ],
    look: traits,
    seen: [],
  },
  {
    name: "fields that are given back",
    wanted: [
      automation(ENGINEERS, builders),
      sales,
      team({ displayName: "Teams" }),
      made([]),
      review(some, []),
    ],
    look: described,
    seen: "Whoever builds.",
  },
  { name: "a manifest with another name", wanted: [...last, sales, made([])] },
  {
    name: "a manifest that is gone",
    wanted: [...last, sales],
    look: ({ store }, spoken) =>
      spoken === "core" || store.resourceTypes.of(APP).some((row) => row.displayName === "Made"),
    seen: true,
  },
  {
    name: "a manifest that is gone, and its object with it",
    wanted: last,
    flags: ["--prune"],
    look: isSalesThere,
    seen: { full: false, core: true },
  },
  {
    name: "drift, which is repaired where it can be seen",
    wanted: last,
    meddle: ({ store }) => {
      const type = store.resourceTypes.get(APP, TEAM);
      if (type !== undefined) store.resourceTypes.put(APP, TEAM, { ...type, displayName: "By hand" });
    },
    unlike: ["core"],
  },
  {
    name: "an object that somebody else manages now",
    wanted: last,
    meddle: ({ store }) => {
      const row = store.automations.get(C1_APP_ID, ENGINEERS);
      if (row === undefined) return;
      store.automations.put(C1_APP_ID, ENGINEERS, {
        ...row,
        displayName: "By a profile",
        managedByRequestCatalogId: idOf("catalog", 1),
      });
    },
    unlike: ["core", "full"],
    look: ({ store }) => store.automations.get(C1_APP_ID, ENGINEERS)?.displayName ?? null,
    seen: "By a profile",
  },
];

/** The worlds as one interface can have them. */
export function worldsOn(spoken: Interface): readonly World[] {
  if (spoken === "full") return STORY;
  // Core has no delete, so nothing can be pruned there.
  return STORY.map((world) => ({
    ...world,
    flags: [],
    wanted: world.wanted.filter(({ name }) => name !== "made"),
  }));
}
