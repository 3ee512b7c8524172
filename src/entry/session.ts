/* One run against one tenant: everything that plans, applies and reads what was applied. */

export { type Client, makeClient } from "../api/client.js";
export { timestamp } from "../apply/checkpoint.js";
export type { Event, Recorder } from "../apply/event.js";
export { remainingPlan } from "../apply/remaining.js";
export { readRescue } from "../apply/rescue.js";
export { eventLine } from "../apply/stream.js";
export type { Summary } from "../apply/summary.js";
export { nameAll } from "../author/naming.js";
export { type Handover, handoverOf } from "../author/terraform/handover.js";
export { readTerraformState, type TerraformState } from "../author/terraform/state.js";
export type { RowCondition } from "../current/rowFilter.js";
export { acknowledged, parseAcknowledgement } from "../plan/acknowledge.js";
export { isPending } from "../plan/calls.js";
export { withoutIgnored } from "../plan/ignored.js";
export type { Mode, Plan } from "../plan/plan.js";
export { countOf, type Unmanaged } from "../plan/unmanaged.js";
export type { Mainline, Request } from "../reconcile.js";
export {
  type Accepted,
  type AcceptedFile,
  type AcceptTarget,
  acceptDrift,
} from "../session/accept.js";
export { apply, type SessionResult } from "../session/apply.js";
export {
  type Examination,
  type ExaminedFeature,
  type ExaminedRead,
  examine,
} from "../session/examine.js";
export { explain } from "../session/explain.js";
export { type GetChoice, type Got, type GotObject, getObjects } from "../session/get.js";
export { type Imported, importObjects } from "../session/import.js";
export type { ImportChoice } from "../session/importChoice.js";
export { landedIn } from "../session/landing.js";
export type { NamedList, NamedRow } from "../session/namedList.js";
export type { Candidate } from "../session/order.js";
export { plan } from "../session/plan.js";
export type { Manuscript } from "../session/proofread.js";
export { remembering } from "../session/remember.js";
export { rescue } from "../session/rescue.js";
export type { Session } from "../session/session.js";
export type { Gone, LeftOut, LeftOutBecause } from "../session/stock.js";
export type { RescuePlace } from "../session/underLock.js";
export { findUnmanaged } from "../session/unmanaged.js";
