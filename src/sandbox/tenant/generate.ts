import { makeRandom } from "../faults/chance.js";
import { SEEDED_AT } from "./seed/apps.js";
import { aliasOf, idOf } from "./seed/naming.js";
import {
  type AppRow,
  type AutomationRow,
  C1_APP_ID,
  EMPTY_TENANT,
  type EntitlementRow,
  type ResourceTypeRow,
  type SetupRow,
  type TemplateRow,
  type Tenant,
} from "./tenant.js";

/** How many entitlements an app has, but for the last. */
const PER_APP = 250;

/** How many entitlements there are to one template. */
const PER_TEMPLATE = 200;

/**
 * A tenant of so many entitlements, the same for the same numbers. The first app is the tenant's own; every
 * second of its groups has an automation.
 */
export function generateTenant(entitlements: number, seed = 1): Tenant {
  const random = makeRandom(seed);
  const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)] ?? "";
  const apps = Array.from({ length: Math.max(1, Math.ceil(entitlements / PER_APP)) }, (_, place): AppRow => {
    if (place === 0) return { id: C1_APP_ID, displayName: "C1", ...SEEDED_AT };
    const displayName = `${pick(MAKERS)} ${pick(PRODUCTS)} ${place}`;
    return { id: idOf("generated app", String(seed), String(place)), displayName, ...SEEDED_AT };
  });
  const types = apps.flatMap((app) => TYPES.map((name) => typeRow(app, name)));
  const rows = Array.from({ length: entitlements }, (_, place) =>
    entitlementRow(place, apps[Math.floor(place / PER_APP)] ?? NO_APP, pick(TEAMS), pick(LEVELS)),
  );
  const templates = Array.from({ length: Math.ceil(entitlements / PER_TEMPLATE) }, (_, place) =>
    templateRow(place, seed),
  );
  return {
    ...EMPTY_TENANT,
    open: false,
    apps,
    resourceTypes: types,
    entitlements: rows,
    templates,
    setups: templates.map((template, place) => setupRow(template, rows, place * PER_TEMPLATE)),
    automations: rows.filter((row, place) => row.appId === C1_APP_ID && place % 2 === 0).map(automationRow),
  };
}

const MAKERS = ["Acme", "Borealis", "Cobalt", "Delphi", "Ember", "Fathom", "Granite", "Harbor"];
const PRODUCTS = [
  "Billing",
  "Chat",
  "Docs",
  "Files",
  "Ledger",
  "Mail",
  "Metrics",
  "Tickets",
  "Vault",
  "Wiki",
];
const TYPES = ["Team", "Project"];
const TEAMS = ["Analytics", "Core", "Design", "Field", "Growth", "Infra", "Mobile", "Risk", "Search", "Web"];
const LEVELS = ["Reader", "Member", "Editor", "Approver", "Administrator"];
const NO_APP: AppRow = { id: C1_APP_ID, displayName: "C1" };

function typeRow(app: AppRow, displayName: string): ResourceTypeRow {
  const id = idOf("generated type", app.id, displayName);
  return { appId: app.id, id, displayName, resourceType: "CUSTOM", ...SEEDED_AT };
}

function entitlementRow(place: number, app: AppRow, team: string, level: string): EntitlementRow {
  return {
    appId: app.id,
    // A count, since a million hashes take longer than the rest.
    id: `2gen${String(place).padStart(23, "0")}`,
    displayName: `${team} ${level} ${place}`,
    alias: aliasOf(team, level, String(place)),
    slug: level,
    ...SEEDED_AT,
  };
}

function templateRow(place: number, seed: number): TemplateRow {
  return {
    id: idOf("generated template", String(seed), String(place)),
    displayName: `Review ${place}`,
    scope: { specificResources: {}, allUsers: {} },
    ...SEEDED_AT,
  };
}

function setupRow(template: TemplateRow, rows: readonly EntitlementRow[], from: number): SetupRow {
  const chosen = rows.slice(from, from + PER_TEMPLATE / 10);
  return {
    templateId: template.id,
    entitlements: chosen.map(({ appId, id }) => ({ appId, appEntitlementId: id, ...SEEDED_AT })),
    resourceTypeSelections: [],
  };
}

function automationRow({ appId, id, displayName }: EntitlementRow): AutomationRow {
  const expression = `subject.department == "${displayName}"`;
  return { appId, appEntitlementId: id, displayName, cel: { expression }, ...SEEDED_AT };
}
