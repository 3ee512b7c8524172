import { Environment } from "@marcbachmann/cel-js";
import { CEL_LIMITS } from "../../manifest/cel.js";
import { ENUMS, TIME_FORMATS } from "../../manifest/declared.js";
import { MESSAGES } from "../../manifest/environments.js";
import { declareFunctions, typesOf } from "../../manifest/typedLanguage.js";
import { Account, AccountStatus } from "../account.js";
import type { Answers, GroupFound } from "../census.js";
import {
  ACCOUNT_TYPE,
  AccountTypeValue,
  longNames,
  StatusValue,
  USER_STATUS,
  USER_TYPE,
  UserTypeValue,
} from "../enums.js";
import { readAsSpelled } from "../fieldNames.js";
import { Person } from "../person.js";
import { endOf, formatTime, parseTime, startOf } from "./calendar.js";
import { registerDay } from "./day.js";
import { calledAs, NotRead } from "./fault.js";
import { registerMeaning } from "./meaning.js";
import { FILLED_SUBJECT } from "./presence.js";

/** Whom the expressions of a language are about. */
type SubjectType = "User" | "AppUser";

/** The types of enums, by their names in expressions: users and accounts have one status. */
const ENUM_TYPES: Readonly<Record<string, string>> = {
  UserStatus: StatusValue.name,
  Status: StatusValue.name,
  UserType: UserTypeValue.name,
  AppUserType: AccountTypeValue.name,
};

function fieldsOf(message: keyof typeof MESSAGES): Record<string, string> {
  const types = Object.entries(typesOf(MESSAGES[message]));
  return Object.fromEntries(types.map(([name, type]) => [name, ENUM_TYPES[type] ?? type]));
}

/** A group as rules see it. */
class GroupValue {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;

  constructor({ id, appId, displayName }: GroupFound) {
    this.id = id;
    this.appId = appId;
    this.displayName = displayName;
  }
}

readAsSpelled(GroupValue, MESSAGES.Group);

/** The language of rules and scopes: the documented variables, enums and functions, answered from one census. */
export function languageFor(subject: SubjectType, answers: Answers, now: Date): Environment {
  const language = peopleLanguage(true);
  language.registerType("AppUserStatus", {
    ctor: AccountStatus,
    fields: fieldsOf("AppUserStatus"),
  });
  language.registerType("AppUser", { ctor: Account, fields: fieldsOf("AppUser") });
  language.registerVariable("subject", subject);
  language.registerVariable(FILLED_SUBJECT, "map<string, bool>");
  language.registerType("Group", { ctor: GroupValue, fields: fieldsOf("Group") });
  registerDay(language, now);
  const handlers = { ...TIME, ...directoryOf(answers) };
  declareFunctions(language, (path, name) => {
    const handler = handlers[`${path}.${name}`];
    return handler === undefined ? null : calledAs(path === "time" ? `time.${name}` : name, handler);
  });
  return language;
}

/** What every expression about people knows: a user's fields, the enums, and the meaning that CEL gives to functions. */
export function peopleLanguage(enableOptionalTypes: boolean): Environment {
  const language = new Environment({
    homogeneousAggregateLiterals: false,
    enableOptionalTypes,
    limits: CEL_LIMITS,
  });
  registerEnums(language);
  language.registerType("User", { ctor: Person, fields: fieldsOf("User") });
  registerTexts(language);
  registerMeaning(language);
  return language;
}

function registerEnums(language: Environment): void {
  for (const type of [StatusValue, UserTypeValue, AccountTypeValue]) {
    language.registerType(type.name, { ctor: type, fields: {} });
    language.registerOperator(
      `${type.name} == ${type.name}`,
      (one: unknown, other: unknown) => one === other,
    );
  }
  registerEnum(language, "UserStatus", StatusValue, USER_STATUS);
  registerEnum(language, "UserType", UserTypeValue, USER_TYPE);
  registerEnum(language, "Status", StatusValue, USER_STATUS);
  registerEnum(language, "AppUserType", AccountTypeValue, ACCOUNT_TYPE);
  language.registerConstant("TimeFormat", "map<string, string>", TIME_FORMATS);
}

function registerEnum<V extends { readonly name: string }>(
  language: Environment,
  name: keyof typeof ENUMS,
  type: new (name: string) => V,
  values: Readonly<Record<string, V>>,
): void {
  const long = longNames(ENUMS[name].prefix, values);
  language.registerConstant(name, `map<string, ${type.name}>`, { ...values, ...long });
  for (const [bare, value] of Object.entries(long)) language.registerConstant(bare, type.name, value);
}

function registerTexts(language: Environment): void {
  language.registerFunction("string.ifEmpty(string): string", (text: string, other: string) =>
    text === "" ? other : text,
  );
  language.registerFunction(
    "string.replace(string, string): string",
    (text: string, from: string, to: string) => text.replaceAll(from, () => to),
  );
}

type Handler = (...values: never[]) => unknown;

const parse = (text: string, layout: string, zone?: string) =>
  parseTime(text, layout, zone) ?? fault(`"${text}" is not a time`);

const TIME: Readonly<Record<string, Handler>> = {
  "time.parse": parse,
  "time.try_parse": (text: string, layout: string, other: Date) => parseTime(text, layout) ?? other,
  "time.format": formatTime,
  "time.unix": (seconds: bigint) => new Date(Number(seconds) * 1000),
  "time.unix_ms": (milliseconds: bigint) => new Date(Number(milliseconds)),
  "time.start_of": startOf,
  "time.truncate": startOf,
  "time.end_of": endOf,
};

function directoryOf(answers: Answers): Readonly<Record<string, Handler>> {
  return {
    "c1.user.v1.HasApp": (person: Person, app: string) => answers.account(person, app) !== undefined,
    "c1.user.v1.HasEntitlement": answers.holds,
    "c1.user.v1.GetAppUserStatus": (person: Person, app: string) => statusName(answers.account(person, app)),
    "c1.user.v1.GetAppUserManagers": () => {
      throw new NotRead("the managers in an app");
    },
    "c1.directory.users.v1.FindByEmail": answers.byEmail,
    "c1.directory.users.v1.GetByID": answers.byId,
    "c1.directory.users.v1.FindByName": answers.byName,
    "c1.directory.users.v1.GetManagers": answers.managers,
    "c1.directory.users.v1.DirectReports": (whom: Person | readonly Person[]) =>
      answers.reports(whom instanceof Person ? [whom] : whom),
    "c1.directory.groups.v1.FindByName": (name: string) => new GroupValue(answers.group(name)),
    "c1.directory.apps.v1.GetEntitlementMembers": answers.members,
  };
}

function statusName(account: Account | undefined): string {
  return `USER_STATUS_${account?.status.status.name ?? "UNSPECIFIED"}`;
}

function fault(message: string): never {
  throw new Error(message);
}
