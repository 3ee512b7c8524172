import type { Path } from "../../../model/path.js";
import type { Client } from "../../auth/client.js";
import { campaign as campaignMessage } from "../../messages/campaign.js";
import { scope as scopeMessage } from "../../messages/scope.js";
import { pick } from "../../wire/member.js";
import { ID } from "../identity.js";
import { all, gather, refuse } from "../reading.js";
import {
  C1_APP_ID,
  type CampaignRow,
  EMPTY_TENANT,
  type NamedRow,
  type SetupRow,
  type TemplateRow,
  type Tenant,
} from "../tenant.js";
import { accountOf, accountRow, isPresent } from "./accounts.js";
import { type AppRows, appRows, SEEDED_AT } from "./apps.js";
import { makeFinder } from "./finder.js";
import { memberRows } from "./members.js";
import { policyRow, VALUE_TYPES, workflowRow } from "./named.js";
import { idOf } from "./naming.js";
import { populationOf } from "./population.js";
import { idFor, type Names } from "./references.js";
import { checked, type SeedCampaign, type SeedClient, type SeedShape } from "./shape.js";
import { automationRows, templateRows } from "./templates.js";

/** What a seed file is made into. */
export interface Seed {
  readonly tenant: Tenant;
  readonly clients: readonly Client[];
}

/** A template that campaigns can be cut from. */
interface Recipe {
  readonly template: NamedRow;
  readonly setup: SetupRow;
}

/** Makes a tenant of a seed; throws an `Unreadable` that knows every place that names what does not exist. */
export function makeSeed(seed: SeedShape): Seed {
  const population = populationOf(seed);
  const { names } = population;
  const apps = each(seed.apps, "apps", (app, path) => appRows(app, names, path));
  checkApps(apps);
  const find = makeFinder(apps);
  const [templates, automations, clients, members] = all(
    () => {
      const rows = each(seed.templates, "templates", (each, path) => templateRows(each, find, names, path));
      refuseTwice(rows, "templates", ({ template }) => template.id);
      return rows;
    },
    () => {
      const rows = each(seed.automations, "automations", (each, path) =>
        automationRows(each, find, names, path),
      );
      refuseTwice(rows, "automations", ({ automation }) => automation.appEntitlementId + automation.appId);
      return rows;
    },
    () => {
      const clients = each(seed.clients, "clients", (each) => clientOf(each, names));
      refuseTwice(clients, "clients", ({ id }) => id);
      return clients;
    },
    () => each(seed.members, "members", (each, path) => memberRows(each, population.users, find, path)),
  );
  const own = header(seed, apps);
  const recipes = makeRecipes(templates);
  const campaigns = each(seed.campaigns, "campaigns", (each, path) => campaignRow(each, recipes.of, path));
  refuseTwice(campaigns, "campaigns", ({ id }) => id);
  return {
    clients,
    tenant: {
      ...EMPTY_TENANT,
      ...own,
      apps: apps.map(({ app }) => app),
      resourceTypes: apps.flatMap(({ types }) => types),
      entitlements: apps.flatMap(({ entitlements }) => entitlements),
      resources: apps.flatMap(({ resources }) => resources),
      templates: recipes.withOccurrences(campaigns),
      setups: templates.map(({ setup }) => setup),
      automations: automations.map(({ automation }) => automation),
      exclusions: automations.map(({ exclusion }) => exclusion).filter(({ userIds }) => userIds.length > 0),
      users: population.users,
      accounts: [
        ...population.users.filter(isPresent).map((user) => accountOf(user, own.c1AppId)),
        ...members.flatMap(({ accounts }) => accounts.filter(({ appId }) => appId !== own.c1AppId)),
        ...each(seed.accounts, "accounts", (each, path) => accountRow(each, apps, names, path)),
      ],
      grants: members.flatMap(({ grants }) => grants),
      campaigns,
      workflows: each(seed.workflows, "workflows", (each, path) => workflowRow(each, recipes.idOf, path)),
      catalogs: population.profiles,
      attributeTypes: VALUE_TYPES,
      attributes: population.values,
      policies: each(seed.policies, "policies", policyRow),
      ...(seed.operator === undefined ? {} : { operatorId: population.operatorId(seed.operator) }),
    },
  };
}

function header(seed: SeedShape, apps: readonly AppRows[]) {
  return {
    id: seed.tenant === undefined ? EMPTY_TENANT.id : idOf("tenant", seed.tenant),
    c1AppId: apps.find(({ app }) => app.displayName === "C1")?.app.id ?? C1_APP_ID,
    open: seed.open ?? false,
    ...(seed.laterVersion === undefined ? {} : { laterVersion: seed.laterVersion }),
  };
}

function checkApps(apps: readonly AppRows[]): void {
  refuseTwice(apps, "apps", ({ app }) => app.id);
  gather(
    apps.map(({ app, types, entitlements }, place) => () => {
      const where = ["apps", place];
      const type = firstTwice(types.map(({ id }) => id));
      if (type !== undefined)
        refuse(
          where,
          `${app.displayName} has two resource types of the id ${types[type]?.id}; give one another id`,
        );
      const entitlement = firstTwice(entitlements.map(({ id }) => id));
      if (entitlement !== undefined)
        refuse(where, `${app.displayName} has two entitlements ${entitlements[entitlement]?.displayName}`);
    }),
  );
}

function each<Item, Row>(
  items: readonly Item[] | undefined,
  name: string,
  make: (item: Item, path: Path) => Row,
): readonly Row[] {
  return gather((items ?? []).map((item, place) => () => make(item, [name, place])));
}

function refuseTwice<Row>(rows: readonly Row[], name: string, keyOf: (row: Row) => string): void {
  const place = firstTwice(rows.map(keyOf));
  if (place !== undefined) refuse([name, place], "appears twice");
}

/** The place of the first text that was there before. */
function firstTwice(texts: readonly string[]): number | undefined {
  const seen = new Set<string>();
  const place = texts.findIndex((text) => seen.size === seen.add(text).size);
  return place < 0 ? undefined : place;
}

/** A client of a seed, with the id of the user that it acts for. */
function clientOf({ user, ...client }: SeedClient, names: Names): Client {
  return { ...client, ...(user === undefined ? {} : { userId: idFor(user, "user", names) }) };
}

/** The templates of a seed, to be spoken of by name or id. */
interface Recipes {
  /** The template of a name or an id; the id itself where it is that of a template that is gone. */
  of(words: string, path: Path): Recipe | string;
  idOf(words: string, path: Path): string;
  /** The templates, each with how many campaigns were cut from it. */
  withOccurrences(campaigns: readonly CampaignRow[]): readonly TemplateRow[];
}

/** Makes templates findable. */
function makeRecipes(recipes: readonly Recipe[]): Recipes {
  function of(words: string, path: Path): Recipe | string {
    const byId = recipes.find(({ template }) => template.id === words);
    if (byId !== undefined) return byId;
    const [first, ...others] = recipes.filter(({ template }) => template.displayName === words);
    if (others.length > 0) return refuse(path, `is the name of several templates: write an id`);
    if (first !== undefined) return first;
    return ID.test(words) ? words : refuse(path, `names ${words}, and no template has that name`);
  }

  return {
    of,
    idOf(words, path) {
      const found = of(words, path);
      return typeof found === "string" ? found : found.template.id;
    },
    withOccurrences: (campaigns) =>
      recipes.map(({ template }) => {
        const occurrences = campaigns.filter((each) => each.accessReviewTemplateId === template.id).length;
        return occurrences === 0 ? template : { occurrences, ...template };
      }),
  };
}

/** The row of one campaign: with the scope and the entitlements of its template, unless it has a scope of its own. */
function campaignRow(
  campaign: SeedCampaign,
  recipeOf: (words: string, path: Path) => Recipe | string,
  path: Path,
): CampaignRow {
  const { name, template, state = "CLOSED", tasks, started, closed, scope, fields = {} } = campaign;
  const recipe = template === undefined ? undefined : recipeOf(template, [...path, "template"]);
  const known = typeof recipe === "object" ? recipe : undefined;
  const templateId = typeof recipe === "string" ? recipe : recipe?.template.id;
  const own = scope === undefined ? known?.template.scope : checked(scope, scopeMessage, [...path, "scope"]);
  const written = {
    ...fields,
    ...pick(known?.template ?? {}, ["policyId", "scopeType"]),
    ...(templateId === undefined ? {} : { accessReviewTemplateId: templateId }),
    ...(own === undefined ? {} : { scopeV2: own }),
    state: `ACCESS_REVIEW_STATE_${state}`,
    ...(tasks === undefined ? {} : { expectedTicketCount: tasks }),
    ...(started === undefined ? {} : { scheduledStartDate: started, startedAt: started }),
    ...(closed === undefined ? {} : { completionDate: closed, closedAt: closed }),
  };
  return {
    ...checked(written, campaignMessage, path),
    ...SEEDED_AT,
    id: campaign.id ?? idOf("campaign", name, template ?? ""),
    displayName: name,
    entitlements: known?.setup.entitlements ?? [],
  };
}
