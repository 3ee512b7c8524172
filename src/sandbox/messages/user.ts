import { list, message, names, told } from "../wire/descriptor.js";

const USER = "c1.api.user.v1";

/** The statuses of a user, here without a prefix. */
export const USER_STATUSES = ["UNKNOWN", "ENABLED", "DISABLED", "DELETED"] as const;

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
  type: told("USER_TYPE_", "UNSPECIFIED", "SYSTEM", "HUMAN", "SERVICE", "AGENT"),
  origin: told("USER_ORIGIN_", "UNSPECIFIED", "DIRECTORY", "LOCAL", "SYSTEM"),
  managerIds: list("string"),
  managerSources: list(source),
  directoryIds: list("string"),
  roleIds: list("string"),
  delegatedUserId: "string",
  profile: "free",
  createdAt: "timestamp",
  updatedAt: "timestamp",
  deletedAt: "timestamp",
});

const view = message(`${USER}.UserView`, {
  user,
  userId: "string",
  directoriesPath: "string",
  managersPath: "string",
  rolesPath: "string",
  delegatedUserPath: "string",
  objectPermissions: "free",
});

const page = { pageSize: "int32", pageToken: "string" } as const;

/** Asks for the users. */
export const listUsersRequest = message(`${USER}.UserServiceListRequest`, page);

/** A page of users. */
export const listUsersReply = message(`${USER}.UserServiceListResponse`, {
  list: list(view),
  expanded: list("any"),
  nextPageToken: "string",
});

/** A request that names one user and nothing else. */
export const userRequest = message(`${USER}.UserServiceGetRequest`, { id: "string" });

/** One user. */
export const userReply = message(`${USER}.UserServiceGetResponse`, {
  userView: view,
  expanded: list("any"),
});

/** Names a user. */
export const userRef = message(`${USER}.UserRef`, { id: "string" });

const TYPE = names("USER_TYPE_", "UNSPECIFIED", "SYSTEM", "HUMAN", "SERVICE", "AGENT");
const ORIGIN = names("USER_ORIGIN_", "UNSPECIFIED", "DIRECTORY", "LOCAL", "SYSTEM");

/** Looks for users. */
export const searchUsersRequest = message(`${USER}.SearchUsersRequest`, {
  email: "string",
  query: "string",
  refs: list(userRef),
  ids: list("string"),
  excludeIds: list("string"),
  departments: list("string"),
  jobTitles: list("string"),
  managerIds: list("string"),
  roleIds: list("string"),
  userStatuses: list(names("", ...USER_STATUSES)),
  excludeTypes: list(TYPE),
  origins: list(ORIGIN),
  excludeOrigins: list(ORIGIN),
  sourceAppIds: list("string"),
  isDelegate: "bool",
  delegatedUserIds: list("string"),
  expandMask: message(`${USER}.UserExpandMask`, { paths: list("string") }),
  ...page,
});
