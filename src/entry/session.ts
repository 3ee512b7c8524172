/* One run against one tenant: everything that plans, applies and reads what was applied. */

export { type Client, makeClient } from "../api/client.js";
export type { Event, Recorder } from "../apply/event.js";
export { timestamp } from "../apply/journal/checkpoint.js";
export { remainingPlan } from "../apply/remaining.js";
export { readRescue } from "../apply/rescue.js";
export { eventLine } from "../apply/stream.js";
export type { Summary } from "../apply/summary.js";
export { nameAll } from "../author/naming.js";
export { type Handover, handoverOf } from "../author/terraform/handover.js";
export { readTerraformState, type TerraformState } from "../author/terraform/state.js";
export type { RowCondition } from "../current/rowFilter.js";
export { isPending } from "../plan/calls.js";
export { acknowledged, parseAcknowledgement } from "../plan/guards/acknowledge.js";
export type { Mode, Plan } from "../plan/plan.js";
export { withoutIgnored } from "../plan/unmanaged/ignored.js";
export { countOf, type Unmanaged } from "../plan/unmanaged/unmanaged.js";
export type { Mainline, Request } from "../reconcile.js";
export {
  type Accepted,
  type AcceptedFile,
  type AcceptTarget,
  acceptDrift,
} from "../session/accept/accept.js";
export { apply, type SessionResult } from "../session/apply/apply.js";
export type { PlanForReview } from "../session/apply/order.js";
export type { RescuePlace } from "../session/apply/underLock.js";
export {
  type Examination,
  type ExaminedFeature,
  type ExaminedRead,
  examine,
} from "../session/doctor/examine.js";
export { type GetChoice, type Got, type GotObject, getObjects } from "../session/get/get.js";
export type { NamedList, NamedRow } from "../session/get/namedList.js";
export { type EndedRun, type FoundRecord, historyOf, withRecord } from "../session/history.js";
export type { ImportChoice } from "../session/import/choice.js";
export type { Manuscript } from "../session/import/emptyPlan.js";
export { type Imported, importObjects } from "../session/import/import.js";
export type { Gone, LeftOut, LeftOutBecause } from "../session/import/leftOut.js";
export { lastAppliedIn } from "../session/lastApplied.js";
export { changesPeople } from "../session/people/count.js";
export { explain } from "../session/people/explain.js";
export { matchesOf } from "../session/people/matches.js";
export { type SeenObjects, withSeen } from "../session/people/withSeen.js";
export { plan } from "../session/plan/plan.js";
export { findUnmanaged } from "../session/plan/unmanaged.js";
export { remembering } from "../session/remember.js";
export { rescue } from "../session/rescue.js";
export type { Session } from "../session/session.js";
