// What counts the people of a rule.

export { evaluateInTime } from "../../src/cli/world/process.js";
export { conditionOf } from "../../src/impact/automation.js";
export { answersFrom } from "../../src/impact/census.js";
export { tallyMembership } from "../../src/impact/membership.js";
export { peopleOf } from "../../src/impact/person.js";
export { languageFor } from "../../src/impact/rule/language.js";
export { peopleRows } from "../../src/sandbox/tenant/seed/population.js";
