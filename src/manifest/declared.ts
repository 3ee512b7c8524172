import { GRAMMAR } from "./cel.js";

/** The enums of rules: the prefix of the long names of their values, and the values. */
export const ENUMS = {
  UserStatus: { prefix: "USER_STATUS", values: ["UNSPECIFIED", "ENABLED", "DISABLED", "DELETED"] },
  UserType: { prefix: "USER_TYPE", values: ["UNSPECIFIED", "SYSTEM", "HUMAN", "SERVICE", "AGENT"] },
  Status: { prefix: "APP_USER_STATUS", values: ["UNSPECIFIED", "ENABLED", "DISABLED", "DELETED"] },
  AppUserType: {
    prefix: "APP_USER_TYPE",
    values: ["UNSPECIFIED", "USER", "SERVICE_ACCOUNT", "SYSTEM_ACCOUNT"],
  },
} as const;

/** The layouts of times that have a name. */
export const TIME_FORMATS = { RFC3339: "rfc3339", DATE: "date", DATETIME: "datetime", TIME: "time" } as const;

/** Libraries that CEL defines beside its own functions: the service may have them. */
const LIBRARIES = ["base64", "lists", "math", "proto", "regex", "sets", "strings"];

/** Methods of these libraries and of CEL's own extensions, beside those that rules are known to have. */
const EXTENSIONS: ReadonlySet<string> = new Set([
  ...[
    "charAt",
    "format",
    "quote",
    "reverse",
    "distinct",
    "first",
    "flatten",
    "last",
    "slice",
    "sort",
    "sortBy",
  ],
  ...["existsOne", "transformList", "transformMap", "transformMapEntry", "optFlatMap", "within"],
]);

const { variables, functions } = GRAMMAR.getDefinitions();

const LONG_NAMES = Object.values(ENUMS).flatMap(({ prefix, values }) =>
  values.map((value) => `${prefix}_${value}`),
);

/** The names that every rule and scope knows. */
export const NAMES: readonly string[] = [
  ...["subject", "c1", "time", ...Object.keys(ENUMS), "TimeFormat"],
  ...LONG_NAMES,
  ...variables.map(({ name }) => name),
  ...LIBRARIES,
];

const DECLARED: ReadonlySet<string> = new Set(NAMES);

/** Whether every rule and scope knows a name. */
export function isKnownName(name: string): boolean {
  return DECLARED.has(name);
}

/** Whether a name of an expression has a meaning of its own: a manifest gives it no other. */
export function isDeclared(name: string): boolean {
  return DECLARED.has(name) || name === "now" || name === "remit_subject";
}

/** What may be taken of a name, where that is listed. */
export const MEMBERS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...Object.entries(ENUMS).map(
    ([name, { prefix, values }]) =>
      [name, [...values, ...values.map((value) => `${prefix}_${value}`)]] as const,
  ),
  ["TimeFormat", Object.keys(TIME_FORMATS)],
]);

/** Whether a function is of an extension of CEL that the service may have. */
export function isOfExtension(name: string): boolean {
  const [library = "", ...rest] = name.split(".");
  return rest.length > 0 ? LIBRARIES.includes(library) : EXTENSIONS.has(name);
}

/** The functions that stand alone, or behind the name of a library. */
export const FUNCTIONS: ReadonlySet<string> = new Set([
  ...functions.filter(({ receiverType }) => receiverType === null).map(({ name }) => name),
  ...["now", "ip", "cidr", "cel.bind", "optional.of", "optional.none", "optional.ofNonZeroValue"],
  ...["GetAppUserManagers", "GetAppUserStatus", "HasApp", "HasEntitlement", "ListAppUsersForUser"].map(
    (name) => `c1.user.v1.${name}`,
  ),
  ...["DirectReports", "FindByEmail", "FindByName", "GetByID", "GetManagers"].map(
    (name) => `c1.directory.users.v1.${name}`,
  ),
  ...["c1.directory.apps.v1.GetEntitlementMembers", "c1.directory.groups.v1.FindByName"],
  ...["end_of", "format", "parse", "start_of", "truncate", "try_parse", "unix", "unix_ms"].map(
    (name) => `time.${name}`,
  ),
]);

/** The functions of a value: `value.name()`. */
export const METHODS: ReadonlySet<string> = new Set([
  ...functions
    .filter(({ receiverType }) => receiverType !== null && !receiverType.endsWith("Namespace"))
    .map(({ name }) => name),
  ...["ifEmpty", "replace", "optMap", "optFlatMap"],
]);
