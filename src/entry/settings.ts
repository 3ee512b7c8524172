/* The settings and credentials of a run: their types, their defaults and how they are checked. */

export {
  CREDENTIAL_VARIABLES,
  type Credentials,
  credentialsFrom,
  type NamedBy,
  UNCONFIRMED,
} from "../api/auth/credentials.js";
export { type Bounds, DEFAULT_BOUNDS } from "../api/bounds.js";
export { proxyProblem } from "../api/proxy.js";
export { checkServer, completeServer } from "../api/server.js";
export type { MovedAddress } from "../current/movedAddress.js";
export { type Asked, type AskedInterface, askedFor, type Interface } from "../kinds/interface.js";
export { type Acknowledgement, endOf, type Term, WHOLE_PLAN } from "../plan/guards/acknowledge.js";
export { DEFAULT_LIMITS, type Limits } from "../plan/guards/limits.js";
export { nameOfAcknowledgement, nameOfLimit, type SettingsInForce } from "../plan/guards/rules.js";
export type {
  LoosenedDefault,
  PlanSettings,
  SettingDifference,
  SettingPlace,
} from "../plan/guards/settings.js";
export type { Removal } from "../plan/removed/decision.js";
export { publicServer } from "../plan/server.js";
export { type Ignored, ignoredFault } from "../plan/unmanaged/ignored.js";
export { canonicalDuration, durationText } from "../schema/duration.js";
