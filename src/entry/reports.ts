/* Plans, outcomes and progress as their readers see them. */

export { kindNamed } from "../kinds/index.js";
export type { Plan } from "../plan/plan.js";
export { describeOutcome, type Ending } from "../report/outcome/describe.js";
export { renderOutcomeJson } from "../report/outcome/json.js";
export { renderOutcomeMarkdown } from "../report/outcome/markdown.js";
export { renderOutcomeTerminal } from "../report/outcome/terminal.js";
export { describe } from "../report/plan/describe.js";
export { renderJson } from "../report/plan/json.js";
export { renderMarkdown } from "../report/plan/markdown/render.js";
export { renderTerminal } from "../report/plan/terminal/render.js";
export { advance, NO_PROGRESS, type Progress } from "../report/progress/progress.js";
export { plainLine, renderProgress } from "../report/progress/render.js";
