// What counts the people of a rule.

export { evaluateInTime } from "../../src/cli/outside/evaluate.js";
export { conditionOf } from "../../src/impact/automation.js";
export { answersFrom } from "../../src/impact/census.js";
export { languageFor } from "../../src/impact/language.js";
export { tallyMembership } from "../../src/impact/membership.js";
export { peopleOf } from "../../src/impact/person.js";
export { peopleRows } from "../../src/sandbox/seed/people.js";
