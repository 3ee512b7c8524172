import { Environment } from "@marcbachmann/cel-js";
import { CEL_LIMITS } from "../../manifest/cel.js";
import { ENUMS, TIME_FORMATS } from "../../manifest/declared.js";
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
import { Person } from "../person.js";
import { endOf, formatTime, parseTime, startOf } from "./calendar.js";
import { registerDay } from "./day.js";
import { calledAs, NotRead } from "./fault.js";
import { registerMeaning } from "./meaning.js";
import { FILLED_SUBJECT } from "./presence.js";

/** Whom the expressions of a language are about. */
type SubjectType = "User" | "AppUser";

const PERSON_FIELDS = {
  ...fields("string", "id email displayName display_name username department jobTitle job_title"),
  ...fields("string", "employmentType employment_type employmentStatus employment_status manager manager_id"),
  ...fields("list<string>", "emails usernames"),
  ...fields("StatusValue", "status directoryStatus directory_status"),
  ...fields("UserTypeValue", "type"),
  ...fields("map<string, dyn>", "profile attributes"),
};

const ACCOUNT_FIELDS = {
  ...fields("string", "id displayName display_name username email"),
  ...fields("list<string>", "usernames emails employeeIds employee_ids"),
  ...fields("AccountTypeValue", "app_user_type appUserType"),
  ...fields("AppUserStatus", "status"),
  ...fields("map<string, dyn>", "profile attributes"),
};

// The library knows no dotted function names: each level is a constant of a type of its own.
class Level {
  readonly [name: string]: Level;
}
class UserFunctions extends Level {}
class UsersFunctions extends Level {}
class GroupsFunctions extends Level {}
class AppsFunctions extends Level {}
class TimeFunctions extends Level {}

/** A group as rules see it. */
class GroupValue {
  readonly id: string;
  readonly app_id: string;
  readonly display_name: string;

  constructor({ id, appId, displayName }: GroupFound) {
    this.id = id;
    this.app_id = appId;
    this.display_name = displayName;
  }
}

/** The language of rules and scopes: the documented variables, enums and functions, answered from one census. */
export function languageFor(subject: SubjectType, answers: Answers, now: Date): Environment {
  const language = peopleLanguage(true);
  language.registerType("AppUserStatus", {
    ctor: AccountStatus,
    fields: { status: "StatusValue", details: "string" },
  });
  language.registerType("AppUser", { ctor: Account, fields: ACCOUNT_FIELDS });
  language.registerVariable("subject", subject);
  language.registerVariable(FILLED_SUBJECT, "map<string, bool>");
  registerTime(language, now);
  registerDirectory(language, answers);
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
  language.registerType("User", { ctor: Person, fields: PERSON_FIELDS });
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

function registerTime(language: Environment, now: Date): void {
  const moment = "google.protobuf.Timestamp";
  language.registerType("TimeFunctions", { ctor: TimeFunctions, fields: {} });
  language.registerConstant("time", "TimeFunctions", new TimeFunctions());
  registerDay(language, now);
  const register = (signature: string, handler: (...values: never[]) => unknown) =>
    registerNamed(language, "TimeFunctions", `time.`, signature, handler);
  const parse = (text: string, layout: string, zone?: string) =>
    parseTime(text, layout, zone) ?? fault(`"${text}" is not a time`);
  register(`parse(string, string): ${moment}`, parse);
  register(`parse(string, string, string): ${moment}`, parse);
  register(
    `try_parse(string, string, ${moment}): ${moment}`,
    (text: string, layout: string, other: Date) => parseTime(text, layout) ?? other,
  );
  register(`format(${moment}, string): string`, formatTime);
  register(`format(${moment}, string, string): string`, formatTime);
  register(`unix(int): ${moment}`, (seconds: bigint) => new Date(Number(seconds) * 1000));
  register(`unix_ms(int): ${moment}`, (milliseconds: bigint) => new Date(Number(milliseconds)));
  for (const name of ["start_of", "truncate"]) {
    register(`${name}(${moment}, string): ${moment}`, startOf);
    register(`${name}(${moment}, string, string): ${moment}`, startOf);
  }
  register(`end_of(${moment}, string): ${moment}`, endOf);
  register(`end_of(${moment}, string, string): ${moment}`, endOf);
}

function registerDirectory(language: Environment, answers: Answers): void {
  language.registerType("Group", { ctor: GroupValue, fields: fields("string", "id app_id display_name") });
  const user = new UserFunctions();
  const [users, groups, apps] = [new UsersFunctions(), new GroupsFunctions(), new AppsFunctions()];
  for (const type of [UserFunctions, UsersFunctions, GroupsFunctions, AppsFunctions]) {
    language.registerType(type.name, { ctor: type, fields: {} });
  }
  const levels: Levels = {
    user: { v1: user },
    directory: { users: { v1: users }, groups: { v1: groups }, apps: { v1: apps } },
  };
  language.registerConstant("c1", "C1", levelOf(language, "C1", levels));
  const register = (type: string, signature: string, handler: (...values: never[]) => unknown) =>
    registerNamed(language, type, "", signature, handler);

  register(
    "UserFunctions",
    "HasApp(User, string): bool",
    (person: Person, app: string) => answers.account(person, app) !== undefined,
  );
  register("UserFunctions", "HasEntitlement(User, string, string): bool", answers.holds);
  register("UserFunctions", "GetAppUserStatus(User, string): string", (person: Person, app: string) =>
    statusName(answers.account(person, app)),
  );
  register("UserFunctions", "GetAppUserManagers(User, string): list<User>", () => {
    throw new NotRead("the managers in an app");
  });
  register("UsersFunctions", "FindByEmail(string): User", answers.byEmail);
  register("UsersFunctions", "GetByID(string): User", answers.byId);
  register("UsersFunctions", "FindByName(string): User", answers.byName);
  register("UsersFunctions", "GetManagers(User): list<User>", answers.managers);
  register("UsersFunctions", "DirectReports(User): list<User>", (person: Person) =>
    answers.reports([person]),
  );
  register("UsersFunctions", "DirectReports(list<User>): list<User>", answers.reports);
  register(
    "GroupsFunctions",
    "FindByName(string): Group",
    (name: string) => new GroupValue(answers.group(name)),
  );
  register("AppsFunctions", "GetEntitlementMembers(string, string): list<User>", answers.members);
}

/** Registers a function of a level. */
function registerNamed(
  language: Environment,
  type: string,
  prefix: string,
  signature: string,
  handler: (...values: never[]) => unknown,
): void {
  const asked = calledAs(`${prefix}${signature.slice(0, signature.indexOf("("))}`, handler);
  language.registerFunction(`${type}.${signature}`, (_level: unknown, ...values: never[]) =>
    asked(...values),
  );
}

type Levels = { readonly [name: string]: Level | Levels };

function levelOf(language: Environment, name: string, levels: Levels): Level {
  const type = { [name]: class extends Level {} }[name] as typeof Level;
  const types: Record<string, string> = {};
  const made = new type() as Record<string, Level>;
  for (const [part, inner] of Object.entries(levels)) {
    const innerName = `${name}_${part}`;
    made[part] = inner instanceof Level ? inner : levelOf(language, innerName, inner as Levels);
    types[part] = inner instanceof Level ? inner.constructor.name : innerName;
  }
  language.registerType(name, { ctor: type, fields: types });
  return made as unknown as Level;
}

function statusName(account: Account | undefined): string {
  return `USER_STATUS_${account?.status.status.name ?? "UNSPECIFIED"}`;
}

function fault(message: string): never {
  throw new Error(message);
}

function fields(type: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(" ").map((name) => [name, type]));
}
