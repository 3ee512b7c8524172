import { textOf, textsOf } from "../kinds/spelling.js";
import { MESSAGES } from "../manifest/environments.js";
import { isObject, type JsonObject } from "../model/json.js";
import { ACCOUNT_TYPE, type AccountTypeValue, enumValue, type StatusValue, USER_STATUS } from "./enums.js";
import { readAsSpelled } from "./fieldNames.js";
import { NotRead } from "./rule/fault.js";

/** The status of an account as a rule sees it. */
export class AccountStatus {
  readonly status: StatusValue;
  readonly details: string;

  constructor(row: JsonObject) {
    this.status = enumValue(USER_STATUS, textOf(row, "status").replace(/^(APP_USER_)?STATUS_/, ""));
    this.details = textOf(row, "details");
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
  readonly appUserType: AccountTypeValue;
  readonly status: AccountStatus;
  readonly profile: JsonObject;
  /** The user whose account it is; empty where it has no owner. */
  readonly personId: string;

  constructor(row: JsonObject) {
    this.id = textOf(row, "id");
    this.displayName = textOf(row, "displayName");
    this.username = textOf(row, "username");
    this.usernames = textsOf(row, "usernames");
    this.email = textOf(row, "email");
    this.emails = textsOf(row, "emails");
    this.employeeIds = textsOf(row, "employeeIds");
    this.appUserType = enumValue(ACCOUNT_TYPE, textOf(row, "appUserType").replace(/^APP_USER_TYPE_/, ""));
    this.status = new AccountStatus(isObject(row.status) ? row.status : {});
    this.profile = isObject(row.profile) ? row.profile : {};
    this.personId = textOf(row, "identityUserId");
  }

  /** The service does not show attributes: they are not the same as the profile. */
  get attributes(): JsonObject {
    throw new NotRead("subject.attributes");
  }
}

readAsSpelled(Account, MESSAGES.AppUser);
