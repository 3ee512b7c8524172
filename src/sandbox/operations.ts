import { apps } from "./collections/apps.js";
import { automations } from "./collections/automations.js";
import { entitlements } from "./collections/entitlements.js";
import { exclusions } from "./collections/exclusions.js";
import { resourceTypes } from "./collections/resourceTypes.js";
import { setups } from "./collections/setup.js";
import { templates } from "./collections/templates.js";
import type { Operation } from "./operation.js";

/** Everything that is served. */
export const OPERATIONS: readonly Operation[] = [
  ...templates,
  ...setups,
  ...automations,
  ...exclusions,
  ...resourceTypes,
  ...apps,
  ...entitlements,
];
