/* Plans, outcomes and progress as their readers see them, and plans as files. */

export { kindNamed } from "../kinds/index.js";
export { measured, type Speed } from "../plan/estimate.js";
export { type Outlook, outlookOf } from "../plan/guards/outlook.js";
export { hidePeople } from "../plan/people/impact.js";
export type { Plan } from "../plan/plan.js";
export { effectOf, type Hashes, writePlan } from "../plan/saved/effect.js";
export { readSavedPlan, type SavedPlan, type VerifiedPlan } from "../plan/saved/read.js";
export { type AppliedPlan, describeOutcome } from "../report/outcome/describe.js";
export { describePlan } from "../report/plan/describe.js";
export { describePeople, describeToday, sentencesOf } from "../report/plan/people.js";
export { settingStatements } from "../report/plan/words/settings.js";
export { describeMatches, describeWhy } from "../report/plan/words/why.js";
export { advance, NO_PROGRESS, type Progress } from "../report/progress/progress.js";
export { plainLine, renderProgress } from "../report/progress/render.js";
export { besideOf, ofRank } from "../report/statement.js";
export { unifiedDiff } from "../report/text/unifiedDiff.js";
