import { textOf, textsOf } from "../kinds/spelling.js";
import { isObject, type JsonObject } from "../model/json.js";
import { enumValue, type StatusValue, USER_STATUS, USER_TYPE, type UserTypeValue } from "./enums.js";
import { NotRead } from "./rule/notRead.js";

/** A user of the tenant as a rule sees them. A field that the service left empty is an empty text, as the service has it. */
export class Person {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  readonly emails: readonly string[];
  readonly username: string;
  readonly usernames: readonly string[];
  readonly department: string;
  readonly jobTitle: string;
  readonly employmentType: string;
  readonly employmentStatus: string;
  readonly status: StatusValue;
  readonly directoryStatus: StatusValue;
  readonly type: UserTypeValue;
  readonly profile: JsonObject;
  readonly managerIds: readonly string[];
  readonly #managerEmail: string | undefined;

  constructor(row: JsonObject, managerEmail: string | undefined) {
    this.id = textOf(row, "id");
    this.displayName = textOf(row, "displayName");
    this.email = textOf(row, "email");
    this.emails = textsOf(row, "emails");
    this.username = textOf(row, "username");
    this.usernames = textsOf(row, "usernames");
    this.department = textOf(row, "department");
    this.jobTitle = textOf(row, "jobTitle");
    this.employmentType = textOf(row, "employmentType");
    this.employmentStatus = textOf(row, "employmentStatus");
    this.status = enumValue(USER_STATUS, textOf(row, "status"));
    this.directoryStatus = enumValue(USER_STATUS, textOf(row, "directoryStatus"));
    this.type = enumValue(USER_TYPE, textOf(row, "type").replace(/^USER_TYPE_/, ""));
    this.profile = isObject(row.profile) ? row.profile : {};
    this.managerIds = textsOf(row, "managerIds");
    this.#managerEmail = managerEmail;
  }

  get manager_id(): string {
    if (this.managerIds.length > 1) throw new NotRead("which of several managers counts");
    return this.managerIds[0] ?? "";
  }

  get manager(): string {
    if (this.manager_id === "") return "";
    if (this.#managerEmail === undefined) throw new NotRead("the e-mail address of a manager");
    return this.#managerEmail;
  }

  /** The service does not show attributes: they are not the same as the profile. */
  get attributes(): JsonObject {
    throw new NotRead("subject.attributes");
  }

  get job_title(): string {
    return this.jobTitle;
  }

  get display_name(): string {
    return this.displayName;
  }

  get employment_type(): string {
    return this.employmentType;
  }

  get employment_status(): string {
    return this.employmentStatus;
  }

  get directory_status(): StatusValue {
    return this.directoryStatus;
  }
}

/** The people of some user rows. A manager whose row is missing has an address that was not read. */
export function peopleOf(rows: readonly JsonObject[]): readonly Person[] {
  const emails = new Map(rows.map((row) => [textOf(row, "id"), textOf(row, "email")]));
  return rows.map((row) => new Person(row, emails.get(textsOf(row, "managerIds")[0] ?? "")));
}
