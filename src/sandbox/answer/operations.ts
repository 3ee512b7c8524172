import { accounts } from "../collections/accounts.js";
import { appParts } from "../collections/appParts.js";
import { apps } from "../collections/apps.js";
import { attributes } from "../collections/attributes.js";
import { automations, documentedCreate } from "../collections/automations.js";
import { bundles } from "../collections/bundles.js";
import { campaigns } from "../collections/campaigns.js";
import { catalogParts, catalogs } from "../collections/catalogs.js";
import { configurationRules } from "../collections/configurationRules.js";
import { conflicts } from "../collections/conflicts.js";
import { entitlements } from "../collections/entitlements.js";
import { exclusions } from "../collections/exclusions.js";
import { grants } from "../collections/grants.js";
import { owners } from "../collections/owners.js";
import { policies } from "../collections/policies.js";
import { resources } from "../collections/resources.js";
import { resourceTypes } from "../collections/resourceTypes.js";
import { setups } from "../collections/setup.js";
import { templates } from "../collections/templates.js";
import { users } from "../collections/users.js";
import { webhooks } from "../collections/webhooks.js";
import { workflows } from "../collections/workflows.js";
import type { Interface } from "../http/exchange.js";
import type { Operation } from "./operation.js";

/** All that the service has, as far as it is known. */
const OPERATIONS: readonly Operation[] = [
  ...templates,
  ...setups,
  ...automations,
  ...exclusions,
  ...resourceTypes,
  ...apps,
  ...entitlements,
  ...campaigns,
  ...workflows,
  ...users,
  ...catalogs,
  ...catalogParts,
  ...bundles,
  ...appParts,
  ...configurationRules,
  ...attributes,
  ...policies,
  ...accounts,
  ...grants,
  ...resources,
  ...webhooks,
  ...conflicts,
  ...owners,
];

/** The documented contract, of which one operation is narrower than what is known of it. */
const DOCUMENTED = ["SetScopeAndEntitlements", "UpdateResourceType", "ListEntitlements"];

/** What each interface serves. */
export const SERVED: Readonly<Record<Interface, readonly Operation[]>> = {
  full: OPERATIONS,
  core: OPERATIONS.flatMap((operation) => {
    if (operation.name === documentedCreate.name) return [documentedCreate];
    return DOCUMENTED.includes(operation.name) ? [operation] : [];
  }),
};
