import { list, message, told } from "../wire/descriptor.js";
import { times } from "./members.js";

const APP = "c1.api.app.v1";

/** The statuses of an account, and the types. */
export const STATUSES = ["UNSPECIFIED", "ENABLED", "DISABLED", "DELETED"] as const;
export const TYPES = ["UNSPECIFIED", "USER", "SERVICE_ACCOUNT", "SYSTEM_ACCOUNT"] as const;

/** An account of one app; the service calls it an app user. Without an owner it has no `identityUserId`. */
export const account = message(`${APP}.AppUser`, {
  id: "string",
  appId: "string",
  displayName: "string",
  email: "string",
  emails: list("string"),
  username: "string",
  usernames: list("string"),
  employeeIds: list("string"),
  identityUserId: "string",
  isExternal: "bool",
  appUserType: told("APP_USER_TYPE_", ...TYPES),
  status: message(`${APP}.AppUserStatus`, { status: told("STATUS_", ...STATUSES), details: "string" }),
  profile: "free",
  ...times,
});

/** An account beside the paths to what it refers to. */
export const accountView = message(`${APP}.AppUserView`, {
  appUser: account,
  appPath: "string",
  identityUserPath: "string",
  lastUsagePath: "string",
});
