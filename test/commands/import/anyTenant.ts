import fc from "fast-check";
import { kindNamed } from "../../../src/kinds/index.js";
import { normaliseWritten } from "../../../src/kinds/normalise.js";
import { reviewTemplate } from "../../../src/kinds/reviewTemplate.js";
import { readExpression } from "../../../src/manifest/expressions.js";
import { isObject, type Json, type JsonObject } from "../../../src/model/json.js";
import { valueAt } from "../../../src/model/path.js";
import { C1_APP_ID, EMPTY_TENANT, type Tenant } from "../../../src/sandbox/tenant/tenant.js";
import { anySpec, withoutEmpty } from "../../kinds/specs.js";
import { anyGroups, type Groups, rowsOfGroups } from "./anyGroups.js";
import { anyProfiles, type Profiles, withProfiles } from "./anyProfiles.js";

/** An id of the service's form, the same for the same letter and number. */
export function idOf(letter: string, number: number): string {
  return `2fsgTvxP0DVTsNXEUBI7${letter}${String(number).padStart(6, "0")}`;
}

/** Names that clash, are empty, are foreign, or mean something to a file system, a shell, YAML or a terminal. */
const NAME = fc.oneof(
  fc.constantFrom("Team", "team", "TEAM", "Leads", "", " ", "-", "Team 2"),
  fc.constantFrom(
    "CON",
    "nul",
    "com1",
    "..",
    "../../etc/passwd",
    "/etc/passwd",
    "C:\\x",
    ".git",
    "a/b",
    "~",
    "x".repeat(300),
  ),
  fc.constantFrom(
    "true",
    "012",
    "---",
    "- {x: [",
    "a\nkind: Other",
    "# no",
    "%s",
    "{{",
    "'\"`",
    "<script>",
    "::error::",
    "$(id)",
  ),
  fc.constantFrom(
    "\u0000",
    "\u202e",
    "\u001b[31m",
    "Équipe",
    "команда",
    "团队",
    "فريق",
    "😀",
    "ﬁx",
    "İ",
    "a\r\nb",
    "line\n",
    "\n",
  ),
  fc.string({ unit: "binary", maxLength: 8 }),
);

/** The service keeps rules that are CEL alone, with whatever white space, comments and texts they have. */
const EXPRESSION = fc.oneof(
  fc.constantFrom(
    "true",
    'subject.department == "IT"',
    "has(subject.email) &&\n  has(subject.manager)",
    "true\n",
    "\n  true\n\n",
    "subject.email\t== 'x' ",
    " true",
    "// no\ntrue",
    "'# no' == \"x: y\"",
    "true ||\r\nfalse",
    "subject.email == '\"\\\\'",
    "subject.email == '\u0000'",
  ),
  fc
    .string({ unit: "binary", minLength: 1, maxLength: 20 })
    .map((text) => `subject.email == '${text}'`)
    .filter((text) => readExpression(text).fault === null),
);

const SPECS = kindNamed("TemplateScope");
if (SPECS === undefined) throw new Error("the kind is gone");
const { shape, schema } = SPECS;

/** What a template reviews, as the service would show what was written. */
const SETUP = anySpec(shape, ["templateId", ...shape.requestOnly])
  .map((spec) => normaliseWritten(withoutEmpty(spec, schema), shape))
  .map(({ scope }): JsonObject | null => (isObject(scope ?? null) ? (scope as JsonObject) : null))
  .filter(isWritable);

/** Whether a manifest may say it: profiles are listed only beside the filter that reads them. */
function isWritable(scope: JsonObject | null): boolean {
  const filter = valueAt(scope ?? {}, ["grantsByCriteria", "accessProfileFilter"]);
  if (!isObject(filter ?? null)) return true;
  const { filterType, includedAccessProfileIds, excludedAccessProfileIds } = filter as JsonObject;
  const isRead = (list: Json | undefined, by: string) =>
    !Array.isArray(list) || list.length === 0 || filterType === `ACCESS_PROFILE_FILTER_TYPE_${by}_SPECIFIC`;
  return isRead(includedAccessProfileIds, "INCLUDE") && isRead(excludedAccessProfileIds, "EXCLUDE");
}

/** What a template is beside its scope, as the service would show what was written. */
const RECIPE = anySpec(reviewTemplate.shape, ["id", "ownerIds", "displayName", "slackChannel"])
  .map((spec) => normaliseWritten(withoutEmpty(spec, reviewTemplate.schema), reviewTemplate.shape))
  .filter(endsAfterStart);

/** Whether a manifest may say it: a schedule begins before it ends. */
function endsAfterStart({ recurrenceRule = null }: JsonObject): boolean {
  const { startDate, endDate } = isObject(recurrenceRule) ? recurrenceRule : {};
  if (typeof startDate !== "string" || typeof endDate !== "string") return true;
  return Date.parse(startDate) <= Date.parse(endDate);
}

const TIME = "2025-01-06T09:00:00Z";
const isSometimes = fc.integer({ min: 0, max: 5 }).map((number) => number === 0);

const CONDITION: fc.Arbitrary<JsonObject> = fc.oneof(
  EXPRESSION.map((expression) => ({ cel: { expression } })),
  EXPRESSION.map((expression) => ({ basic: { expression } })),
  fc.constant({ none: {} }),
  fc.constant({
    entitlements: {
      entitlementRefs: [
        { appId: C1_APP_ID, id: idOf("E", 0) },
        { appId: idOf("A", 1), id: idOf("F", 0) },
      ],
    },
  }),
  fc.constant({ futureRule: { x: 1 } }),
);

const APP = fc.record({
  displayName: NAME,
  isConnected: isSometimes,
  types: fc.array(
    fc.record({
      displayName: NAME,
      isDeleted: isSometimes,
      isBuiltIn: isSometimes,
      traits: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 3 },
  ),
});

const RULE = fc.record({
  entitlement: NAME,
  alias: NAME,
  displayName: NAME,
  description: NAME,
  condition: CONDITION,
  isDeleted: isSometimes,
  isManaged: isSometimes,
});

const REVIEW = fc.record({
  // The service wants a name of every template.
  displayName: NAME.map((name) => (name === "" ? "Review" : name)),
  recipe: RECIPE,
  scope: SETUP,
  isDeleted: isSometimes,
  isStarted: fc.boolean(),
  refs: fc.integer({ min: 0, max: 2 }),
  hasLater: isSometimes,
});

/** A tenant, and the keys of the objects that an import has to take. */
export interface ImportableTenant {
  readonly tenant: Tenant;
  readonly importable: ReadonlySet<string>;
  /** The expression of each automation, by its key. */
  readonly expressions: ReadonlyMap<string, string>;
}

/** Any small tenant as people leave it behind. */
export const ANY_TENANT: fc.Arbitrary<ImportableTenant> = fc
  .record({
    c1: NAME,
    apps: fc.array(APP, { maxLength: 3 }),
    rules: fc.array(RULE, { maxLength: 4 }),
    reviews: fc.array(REVIEW, { maxLength: 3 }),
    others: fc.array(NAME, { maxLength: 2 }),
    made: anyGroups(NAME),
    profiles: anyProfiles(NAME),
  })
  .map(tenantOf);

interface Plan {
  readonly c1: string;
  readonly apps: readonly {
    displayName: string;
    isConnected: boolean;
    types: readonly { displayName: string; isDeleted: boolean; isBuiltIn: boolean; traits: number }[];
  }[];
  readonly rules: readonly {
    entitlement: string;
    alias: string;
    displayName: string;
    description: string;
    condition: JsonObject;
    isDeleted: boolean;
    isManaged: boolean;
  }[];
  readonly reviews: readonly {
    displayName: string;
    recipe: JsonObject;
    scope: JsonObject | null;
    isDeleted: boolean;
    isStarted: boolean;
    refs: number;
    hasLater: boolean;
  }[];
  readonly others: readonly string[];
  readonly made: Groups;
  readonly profiles: Profiles;
}

function tenantOf({ c1, apps, rules, reviews, others, made, profiles }: Plan): ImportableTenant {
  const deleted = (isDeleted: boolean): JsonObject => (isDeleted ? { deletedAt: TIME } : {});
  const types = apps.flatMap(({ types: rows }, app) =>
    rows.map((type, at) => ({
      ...type,
      appId: idOf("A", app),
      id: idOf("Y", app * 10 + at),
      isConnected: apps[app]?.isConnected === true,
    })),
  );
  const named = types.map((type) => ({
    ...type,
    displayName: type.isBuiltIn ? "Credential" : type.displayName,
  }));
  const groups = rowsOfGroups(made, idOf);
  const tenant: Tenant = {
    ...EMPTY_TENANT,
    open: false,
    laterVersion: true,
    apps: [
      { id: C1_APP_ID, displayName: c1 || "App" },
      ...apps.map(({ displayName, isConnected }, at) => ({
        id: idOf("A", at),
        // The service wants a name of every app.
        displayName: displayName || "App",
        ...(isConnected ? { connectorVersion: 3 } : { isManuallyManaged: true }),
      })),
    ],
    resourceTypes: named.map(({ appId, id, displayName, isDeleted, traits }) => ({
      appId,
      id,
      displayName,
      ...(traits === 0 ? {} : { traitIds: Array.from({ length: traits }, (_, at) => idOf("U", at)) }),
      ...deleted(isDeleted),
    })),
    entitlements: [
      ...rules.map(({ entitlement, alias }, at) => ({
        appId: C1_APP_ID,
        id: idOf("E", at),
        // The service shows each entitlement with a name; a blank one counts as hidden.
        displayName: entitlement === "" ? "Member" : entitlement,
        alias,
      })),
      ...apps.map(({ displayName }, at) => ({
        appId: idOf("A", at),
        id: idOf("F", at),
        displayName: displayName === "" ? "Member" : displayName,
        alias: displayName,
      })),
      ...groups.rows.entitlements,
    ],
    resources: groups.rows.resources,
    webhooks: groups.rows.webhooks,
    automations: [
      ...groups.rows.automations,
      ...rules.map(({ displayName, description, condition, isDeleted, isManaged }, at) => ({
        appId: C1_APP_ID,
        appEntitlementId: idOf("E", at),
        displayName,
        description,
        ...condition,
        ...(isManaged ? { managedByRequestCatalogId: idOf("C", 0) } : {}),
        ...deleted(isDeleted),
      })),
    ],
    templates: reviews.map(({ displayName, recipe, scope, isDeleted, hasLater }, at) => ({
      ...recipe,
      id: idOf("T", at),
      displayName,
      ...(scope === null && !hasLater
        ? {}
        : { scope: { ...scope, ...(hasLater ? { futureScope: { x: 1 } } : {}) } }),
      ...deleted(isDeleted),
    })),
    setups: reviews.map(({ refs }, at) => ({
      templateId: idOf("T", at),
      resourceTypeSelections: [],
      entitlements: [
        { appId: C1_APP_ID, appEntitlementId: idOf("E", 0) },
        { appId: idOf("A", 0), appEntitlementId: idOf("F", 0) },
      ].slice(0, refs),
    })),
    campaigns: reviews.flatMap(({ displayName, isStarted }, at) =>
      isStarted
        ? [{ id: idOf("K", at), displayName, accessReviewTemplateId: idOf("T", at), entitlements: [] }]
        : [],
    ),
    catalogs: [{ id: idOf("C", 0), displayName: others[0] || "Profile" }],
    users: ["1", "2", "3"].map((end, at) => ({
      id: `2fsgTvxP0DVTsNXEUBI7hOe0l${end.padStart(2, "0")}`,
      displayName: others[at] ?? "",
      email: `u${at}@x.example`,
    })),
  };
  const offered = withProfiles(tenant, profiles, idOf);
  const importable = [
    ...groups.importable,
    ...offered.importable,
    `AccessProfile ${C1_APP_ID}/${idOf("C", 0)}`,
    ...apps.flatMap(({ isConnected }, at) => (isConnected ? [] : [`App ${idOf("A", at)}`])),
    ...named
      .filter(
        ({ isDeleted, isConnected, displayName }) =>
          !isDeleted && !isConnected && displayName !== "Credential",
      )
      .map(({ appId, id }) => `ResourceType ${appId}/${id}`),
    ...rules.flatMap(({ isDeleted, isManaged }, at) =>
      isDeleted || isManaged ? [] : [`EntitlementAutomation ${C1_APP_ID}/${idOf("E", at)}`],
    ),
    ...reviews.flatMap(({ isDeleted, isStarted }, at) =>
      isDeleted || !isStarted ? [] : [`ReviewTemplate ${idOf("T", at)}`, `TemplateScope ${idOf("T", at)}`],
    ),
  ];
  const expressions = rules.flatMap(({ condition }, at) => {
    const rule: Json = condition.cel ?? condition.basic ?? null;
    return isObject(rule) && typeof rule.expression === "string"
      ? [[`${C1_APP_ID}/${idOf("E", at)}`, rule.expression] as const]
      : [];
  });
  return {
    tenant: offered.tenant,
    importable: new Set(importable),
    expressions: new Map([...groups.expressions, ...expressions]),
  };
}
