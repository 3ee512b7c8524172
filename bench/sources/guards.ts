// What asks the guards of a team about a plan.

export { evaluateInTime } from "../../src/cli/world/process.js";
export { peopleOf } from "../../src/impact/person.js";
export { kinds } from "../../src/kinds/index.js";
export { readGuards } from "../../src/plan/guards/own/document.js";
export { ownFindings } from "../../src/plan/guards/own/findings.js";
export { withOwnGuards } from "../../src/plan/guards/own/inForce.js";
export { NO_SETTINGS } from "../../src/plan/guards/rules.js";
export { DEFAULT_LIMITS } from "../../src/plan/guards/settings.js";
