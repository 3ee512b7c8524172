// What makes the comment of a saved plan, as GitHub renders it.
export { kindNamed } from "../../src/kinds/index.js";
export { readSavedPlan } from "../../src/plan/saved/read.js";
export { renderComment } from "../../src/report/forms/comment/comment.js";
export { describePlan } from "../../src/report/plan/describe.js";
export { viewOf } from "../../src/report/view/view.js";
export { asGithub } from "../../test/report/comment/asGithub.js";
