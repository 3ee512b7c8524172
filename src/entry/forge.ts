/* Pull requests: the pipeline, the forge, what is posted there and what was approved there. */

export { ApiError } from "../api/error.js";
export { type Approved, approvedMerges, type HeldMerge } from "../forge/approved.js";
export type { Forge, PullRequest } from "../forge/forge.js";
export { type GroupPlan, groupDiagnostics, trainDiagnostics } from "../forge/group.js";
export { type Commented, dialectFor, linkBaseOf, openForge } from "../forge/open.js";
export { eventFileOf, type Pipeline, pipelineFrom, silenceOf } from "../forge/pipeline.js";
export { post } from "../forge/post.js";
export {
  changedSteps,
  type ReviewedPlan,
  type ReviewedSteps,
  reviewedSteps,
  type StepHashes,
} from "../forge/reviewedSteps.js";
export { contextOf, effectIn, statusText } from "../forge/statusText.js";
export { stepHashes } from "../plan/saved/effect.js";
export { readFailure } from "../report/failure/read.js";
export { type FailureReport, sentenceOf } from "../report/failure/report.js";
export { type InComment, renderComment } from "../report/forms/comment/comment.js";
export { renderHeld } from "../report/forms/comment/held.js";
export { type NightInComment, nightLine, renderNights } from "../report/forms/comment/night.js";
export { readOutcome } from "../report/outcome/read.js";
export type { OutcomeReport } from "../report/outcome/report.js";
export { verdictOf } from "../report/outcome/verdict.js";
export { readPlanReport } from "../report/plan/read.js";
export { lastLine } from "../report/plan/words/tally.js";
export { inline } from "../report/text/escape.js";
