/** How a type is known: the documentation of the service says it, or its name alone tells. */
type Mark = "documented" | "inferred";

/** What an expression may read; its type is `dyn` where it is not known, and then nothing about it is an error. */
interface Readable {
  readonly type: string;
  readonly mark: Mark;
}

type Readables = Readonly<Record<string, Readable>>;

/** What an expression reads of each type. docs/service/live-reads.md, F1, and docs/service/whole-tenant.md, 1.7 and 4.3. */
export const MESSAGES = {
  User: {
    ...documented("string", "id displayName email username department jobTitle employmentType"),
    ...documented("string", "employmentStatus manager manager_id job_title display_name employment_type"),
    ...inferred("string", "employment_status"),
    ...documented("list<string>", "emails usernames"),
    ...documented("UserStatus", "status directoryStatus"),
    ...inferred("UserStatus", "directory_status"),
    ...documented("UserType", "type"),
    ...documented("map<string, dyn>", "profile attributes"),
  },
  AppUserStatus: { ...documented("Status", "status"), ...documented("string", "details") },
  AppUser: {
    ...documented("string", "id displayName username email"),
    ...inferred("string", "display_name"),
    ...documented("list<string>", "usernames emails employeeIds"),
    ...inferred("list<string>", "employee_ids"),
    ...documented("AppUserType", "app_user_type"),
    ...inferred("AppUserType", "appUserType"),
    ...documented("AppUserStatus", "status"),
    ...documented("map<string, dyn>", "profile attributes"),
  },
  Group: {
    ...documented("string", "id app_id display_name"),
    ...inferred("string", "appId displayName"),
  },
  EntitlementPart: {
    ...documented("string", "id app_resource_type_id display_name"),
    ...inferred("string", "appResourceTypeId displayName"),
  },
  AskedEntitlement: {
    ...documented("string", "id app_id appId display_name description"),
    ...documented("string", "app_resource_type_id app_resource_id risk_level_value_id"),
    ...inferred("string", "displayName appResourceTypeId appResourceId riskLevelValueId"),
    ...documented("map<string, dyn>", "annotations"),
    ...documented("EntitlementPart", "role scope"),
    ...documented("dyn", "app_resource_type"),
  },
  TaskAnalysis: {
    ...inferred("string", "id"),
    ...inferred("bool", "hasConflictViolations has_conflict_violations"),
    ...documented("list<dyn>", "conflictViolations conflict_violations"),
  },
  Task: {
    ...inferred("string", "id displayName display_name subjectUserId subject_user_id"),
    ...inferred("string", "requestorUserId requestor_user_id"),
    ...inferred("bool", "isGrantPermanent is_grant_permanent"),
    ...documented("TaskOrigin", "origin"),
    ...documented("TaskAnalysis", "analysis"),
    ...documented("dyn", "numericId numeric_id grantDuration grant_duration createdAt created_at"),
  },
} as const satisfies Readonly<Record<string, Readables>>;

/** The fields whose expressions know the same names, and what such an expression gives. */
interface ExpressionEnvironment {
  readonly fields: string;
  readonly gives: "condition" | "users";
  readonly knows: Readables;
}

/** The environments of expressions, by the hint `x-environment` of their fields. Without a hint, it is `rule`. */
export const ENVIRONMENTS = {
  rule: {
    fields:
      "the rule of an EntitlementAutomation or an AccessProfile, and `celExpression` of a TemplateScope",
    gives: "condition",
    knows: documented("User", "subject"),
  },
  account: {
    fields: "`accountCelExpression` of a TemplateScope",
    gives: "condition",
    knows: documented("AppUser", "subject"),
  },
  condition: {
    fields: "the rules and the waits of a Policy",
    gives: "condition",
    knows: {
      ...documented("User", "subject"),
      ...documented("AppUser", "account"),
      ...documented("AskedEntitlement", "entitlement"),
      ...documented("Task", "task"),
      ...documented("dyn", "ip"),
    },
  },
  approvers: {
    fields: "the approvers of a Policy",
    gives: "users",
    knows: {
      ...documented("User", "subject"),
      ...documented("list<User>", "appOwners"),
      ...documented("AskedEntitlement", "entitlement"),
      ...documented("Task", "task"),
    },
  },
  configurationRule: {
    fields: "the rules of AppConfigurationRules",
    gives: "condition",
    knows: documented("AskedEntitlement", "entitlement"),
  },
} as const satisfies Readonly<Record<string, ExpressionEnvironment>>;

export type EnvironmentName = keyof typeof ENVIRONMENTS;

const MOMENT = "google.protobuf.Timestamp";

/** The functions that stand alone or behind a path, by the path. docs/service/live-reads.md, F1; docs/service/whole-tenant.md, 1.7. */
export const SIGNATURES: Readonly<Record<string, readonly string[]>> = {
  "c1.user.v1": [
    "HasApp(User, string): bool",
    "HasEntitlement(User, string, string): bool",
    "GetAppUserStatus(User, string): string",
    "GetAppUserManagers(User, string): list<User>",
    "ListAppUsersForUser(User, string): list<AppUser>",
  ],
  "c1.directory.users.v1": [
    "FindByEmail(string): User",
    "FindByName(string): User",
    "GetByID(string): User",
    "GetManagers(User): list<User>",
    "DirectReports(User): list<User>",
    "DirectReports(list<User>): list<User>",
  ],
  "c1.directory.groups.v1": ["FindByName(string): Group"],
  "c1.directory.apps.v1": [
    "GetEntitlementMembers(string, string): list<User>",
    "GetEntitlementOwners(string, string): list<User>",
    "GetEntitlementOwners(AskedEntitlement): list<User>",
  ],
  "": [`now(): ${MOMENT}`, "ip(string): dyn", "cidr(string): dyn", "matches(string, string): bool"],
  time: [
    `parse(string, string): ${MOMENT}`,
    `parse(string, string, string): ${MOMENT}`,
    `try_parse(string, string, ${MOMENT}): ${MOMENT}`,
    `format(${MOMENT}, string): string`,
    `format(${MOMENT}, string, string): string`,
    `unix(int): ${MOMENT}`,
    `unix_ms(int): ${MOMENT}`,
    ...["start_of", "truncate", "end_of"].flatMap((name) => [
      `${name}(${MOMENT}, string): ${MOMENT}`,
      `${name}(${MOMENT}, string, string): ${MOMENT}`,
    ]),
  ],
};

/** The functions of a text beside those that the library has. docs/service/live-reads.md, F1. */
export const TEXT_METHODS = [
  "ifEmpty(string): string",
  "replace(string, string): string",
  "replace(string, string, int): string",
];

function documented(type: string, names: string): Readables {
  return readables(type, names, "documented");
}

function inferred(type: string, names: string): Readables {
  return readables(type, names, "inferred");
}

function readables(type: string, names: string, mark: Mark): Readables {
  return Object.fromEntries(names.split(" ").map((name) => [name, { type, mark }]));
}
