import { GRAMMAR } from "./cel.js";
import { SIGNATURES, TEXT_METHODS } from "./environments.js";

/** The enums of rules: the prefix of the long names of their values, and the values. */
export const ENUMS = {
  UserStatus: { prefix: "USER_STATUS", values: ["UNSPECIFIED", "ENABLED", "DISABLED", "DELETED"] },
  UserType: { prefix: "USER_TYPE", values: ["UNSPECIFIED", "SYSTEM", "HUMAN", "SERVICE", "AGENT"] },
  Status: { prefix: "APP_USER_STATUS", values: ["UNSPECIFIED", "ENABLED", "DISABLED", "DELETED"] },
  AppUserType: {
    prefix: "APP_USER_TYPE",
    values: ["UNSPECIFIED", "USER", "SERVICE_ACCOUNT", "SYSTEM_ACCOUNT"],
  },
  TaskOrigin: {
    prefix: "TASK_ORIGIN",
    values: [
      ...["UNSPECIFIED", "WEBAPP", "SLACK", "API", "JIRA", "COPILOT"],
      ...["PROFILE_MEMBERSHIP_AUTOMATION", "TIME_REVOKE"],
    ],
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

/** The names that every expression knows. */
export const NAMES: readonly string[] = [
  ...["c1", "time", ...Object.keys(ENUMS), "TimeFormat"],
  ...LONG_NAMES,
  ...variables.map(({ name }) => name),
  ...LIBRARIES,
];

const DECLARED: ReadonlySet<string> = new Set(NAMES);

/** Whether every expression knows a name. */
export function isKnownName(name: string): boolean {
  return DECLARED.has(name);
}

/** Whether a name of an expression has a meaning of its own: a manifest gives it no other. */
export function isDeclared(name: string): boolean {
  return DECLARED.has(name) || name === "subject" || name === "now" || name === "remit_subject";
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

const nameIn = (signature: string) => signature.slice(0, signature.indexOf("("));

/** The functions that stand alone, or behind the name of a library. */
export const FUNCTIONS: ReadonlySet<string> = new Set([
  ...functions.filter(({ receiverType }) => receiverType === null).map(({ name }) => name),
  ...["cel.bind", "optional.of", "optional.none", "optional.ofNonZeroValue"],
  ...Object.entries(SIGNATURES).flatMap(([path, signatures]) =>
    signatures.map((signature) => (path === "" ? nameIn(signature) : `${path}.${nameIn(signature)}`)),
  ),
]);

/** The functions of a value: `value.name()`. */
export const METHODS: ReadonlySet<string> = new Set([
  ...functions
    .filter(({ receiverType }) => receiverType !== null && !receiverType.endsWith("Namespace"))
    .map(({ name }) => name),
  ...TEXT_METHODS.map(nameIn),
  ...["optMap", "optFlatMap"],
]);
