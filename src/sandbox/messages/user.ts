import { list, message, told } from "../wire/descriptor.js";
import { times } from "./members.js";

const USER = "c1.api.user.v1";

/** The statuses of a user, here without a prefix. */
export const USER_STATUSES = ["UNKNOWN", "ENABLED", "DISABLED", "DELETED"] as const;

/** What a user is, and where it was made. */
export const USER_TYPES = ["UNSPECIFIED", "SYSTEM", "HUMAN", "SERVICE", "AGENT"] as const;
export const USER_ORIGINS = ["UNSPECIFIED", "DIRECTORY", "LOCAL", "SYSTEM"] as const;

const source = message(`${USER}.UserAttributeMappingSource`, {
  appId: "string",
  appUserId: "string",
  appUserProfileAttributeKey: "string",
  userAttributeMappingId: "string",
  priority: "int32",
  value: "string",
});

/** A person, a service or an agent of the tenant's directories. */
export const user = message(`${USER}.User`, {
  id: "string",
  displayName: "string",
  email: "string",
  emails: list("string"),
  emailSources: list(source),
  username: "string",
  usernames: list("string"),
  usernameSources: list(source),
  employeeIds: list("string"),
  employeeIdSources: list(source),
  department: "string",
  departmentSources: list(source),
  jobTitle: "string",
  jobTitleSources: list(source),
  employmentType: "string",
  employmentTypeSources: list(source),
  employmentStatus: "string",
  employmentStatusSources: list(source),
  status: told("", ...USER_STATUSES),
  directoryStatus: told("", ...USER_STATUSES),
  directoryStatusSources: list(source),
  type: told("USER_TYPE_", ...USER_TYPES),
  origin: told("USER_ORIGIN_", ...USER_ORIGINS),
  managerIds: list("string"),
  managerSources: list(source),
  directoryIds: list("string"),
  roleIds: list("string"),
  delegatedUserId: "string",
  profile: "free",
  ...times,
});

/** Names a user. */
export const userRef = message(`${USER}.UserRef`, { id: "string" });
