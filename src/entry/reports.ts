/* Plans, outcomes and progress as their readers see them, and plans as files. */

export { kindNamed } from "../kinds/index.js";
export { effectOf, freeze, type Hashes } from "../plan/effect.js";
export { measured, type Speed } from "../plan/estimate.js";
export { hidePeople } from "../plan/impact.js";
export { type Outlook, outlookOf } from "../plan/outlook.js";
export type { Plan } from "../plan/plan.js";
export { type SavedPlan, type Thawed, thaw } from "../plan/thaw.js";
export { type AppliedPlan, describeOutcome } from "../report/outcome/describe.js";
export { describePlan } from "../report/plan/describe.js";
export { describePeople, sentencesOf } from "../report/plan/people.js";
export { settingStatements } from "../report/plan/settingWords.js";
export { describeWhy } from "../report/plan/why.js";
export { advance, NO_PROGRESS, type Progress } from "../report/progress/progress.js";
export { plainLine, renderProgress } from "../report/progress/render.js";
export { besideOf, ofRank } from "../report/statement.js";
export { unifiedDiff } from "../report/text/unifiedDiff.js";
