export type { Event, Outcome, Recorder } from "./apply/event.js";
export type { Order, PlanForReview } from "./apply/order.js";
export { type Planning, plan } from "./apply/preview.js";
export type { SessionResult } from "./apply/result.js";
export { apply } from "./apply/run.js";
export type { Session } from "./apply/session.js";
export type { NotableStep, Summary } from "./apply/summary.js";
export type { Cause, Change } from "./diff/change.js";
export { kindNamed } from "./kinds/index.js";
export type { Asked, AskedInterface, Interface } from "./kinds/interface.js";
export { type EarlierProject, readEarlierProject } from "./manifest/git/earlierProject.js";
export { type Load, loadManifests } from "./manifest/load.js";
export type { ProjectLoad } from "./manifest/project.js";
export type { Place, Resource } from "./manifest/resource.js";
export { type Address, formatAddress, parseAddress } from "./model/address.js";
export { type Call, formatCallPath, type Reply, type Send } from "./model/call.js";
export type { Clock, Random } from "./model/clock.js";
export { type Checked, type Diagnostic, hasErrors, type Severity, type Span } from "./model/diagnostic.js";
export type { Answer, Message, Transmit } from "./model/exchange.js";
export type { Json, JsonObject } from "./model/json.js";
export { formatPath, type Path } from "./model/path.js";
export { Secret } from "./model/secret.js";
export type { Acknowledgement } from "./plan/guards/acknowledge.js";
export { openFindings } from "./plan/guards/guards.js";
export { NO_SETTINGS, type Proposal, type Rules, type SettingsInForce } from "./plan/guards/rules.js";
export type {
  LoosenedDefault,
  PlanSettings,
  SettingDifference,
  SettingPlace,
} from "./plan/guards/settings.js";
export { DEFAULT_LIMITS, type Limits } from "./plan/guards/settings.js";
export type { Counting } from "./plan/people/impact.js";
export type { Finding, Mode, Plan, Unseen } from "./plan/plan.js";
export type { Removal, Removals } from "./plan/removed/decision.js";
export type { Mainline, Request } from "./plan/request.js";
export { effectOf, type Hashes, hashesOf, type WrittenPlan, writePlan } from "./plan/saved/effect.js";
export { readSavedPlan, type VerifiedPlan } from "./plan/saved/read.js";
export type { Action, FieldChange, Reason, Step } from "./plan/step.js";
export {
  FORM_NAMES,
  type Form,
  type FormOptions,
  isForm,
  render,
  type Subjects,
} from "./report/forms/table.js";
export { type AppliedPlan, describeOutcome } from "./report/outcome/describe.js";
export type { OutcomeReport } from "./report/outcome/report.js";
export { describePlan } from "./report/plan/describe.js";
export type { PlanReport } from "./report/plan/report.js";
export { readStateKeys, type StateKey, stateKey } from "./state/encryption/key.js";
export { type Encryption, withKeys } from "./state/encryption/store.js";
export { type FileStoreOptions, fileStore } from "./state/file.js";
export { holdStore } from "./state/hold.js";
export { methodsFor, type NamedMethods, type WebAddress, type WebMethods } from "./state/http/address.js";
export { type HttpStoreOptions, httpStore } from "./state/http/http.js";
export { type MemoryContents, memoryContents, memoryStore } from "./state/memory.js";
export { type MovingStore, moveState } from "./state/move.js";
export { Hidden, type Objects, type Parts, type StoreTraits, type Tagged } from "./state/objects.js";
export type { PostgresAddress } from "./state/postgres/address.js";
export type { DatabaseLogin } from "./state/postgres/connection.js";
export { type PostgresStoreOptions, postgresStore } from "./state/postgres/postgres.js";
export type { BucketAddress } from "./state/s3/address.js";
export type { KeySource } from "./state/s3/keys.js";
export { type S3StoreOptions, s3Store } from "./state/s3/s3.js";
export {
  type Entry,
  type Kept,
  type MovedSnapshot,
  newSnapshot,
  type SealedSnapshot,
  type Snapshot,
  type Uncertain,
} from "./state/snapshot.js";
export {
  type Contents,
  type Journal,
  type Lock,
  type Owner,
  StateError,
  type Store,
  type Waiting,
} from "./state/store.js";
export { readStateAddress, type StateAddress } from "./state/stores.js";
export type { Credentials } from "./tenant/client/auth/credentials.js";
export { type Client, type ClientOptions, makeClient } from "./tenant/client/client.js";
export { ApiError } from "./tenant/client/error.js";
export { NO_PROXIES, type Proxies } from "./tenant/client/proxy.js";
export { makeNetwork, type NetworkOptions } from "./tenant/client/transport.js";
