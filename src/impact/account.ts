import { isObject, type Json, type JsonObject } from "../model/json.js";
import { ACCOUNT_TYPE, enumNumber, USER_STATUS } from "./enums.js";
import { NotRead } from "./notRead.js";

/** The status of an account as a rule sees it. */
export class AccountStatus {
  readonly status: bigint;
  readonly details: string;

  constructor(row: JsonObject) {
    this.status = enumNumber(USER_STATUS, text(row.status).replace(/^(APP_USER_)?STATUS_/, ""));
    this.details = text(row.details);
  }
}

/** An account of an app as a rule of an account scope sees it. */
export class Account {
  readonly id: string;
  readonly displayName: string;
  readonly username: string;
  readonly usernames: readonly string[];
  readonly email: string;
  readonly emails: readonly string[];
  readonly employeeIds: readonly string[];
  readonly app_user_type: bigint;
  readonly status: AccountStatus;
  readonly profile: JsonObject;
  /** The user whose account it is; empty where it has no owner. */
  readonly personId: string;

  constructor(row: JsonObject) {
    this.id = text(row.id);
    this.displayName = text(row.displayName);
    this.username = text(row.username);
    this.usernames = texts(row.usernames);
    this.email = text(row.email);
    this.emails = texts(row.emails);
    this.employeeIds = texts(row.employeeIds);
    this.app_user_type = enumNumber(ACCOUNT_TYPE, text(row.appUserType).replace(/^APP_USER_TYPE_/, ""));
    this.status = new AccountStatus(isObject(row.status) ? row.status : {});
    this.profile = isObject(row.profile) ? row.profile : {};
    this.personId = text(row.identityUserId);
  }

  get appUserType(): bigint {
    return this.app_user_type;
  }

  get display_name(): string {
    return this.displayName;
  }

  get employee_ids(): readonly string[] {
    return this.employeeIds;
  }

  /** The service does not show attributes: they are not the same as the profile. */
  get attributes(): JsonObject {
    throw new NotRead("subject.attributes");
  }
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
