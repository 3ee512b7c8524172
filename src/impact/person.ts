import { isObject, type Json, type JsonObject } from "../model/json.js";
import { enumNumber, USER_STATUS, USER_TYPE } from "./enums.js";
import { NotRead } from "./notRead.js";

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
  readonly status: bigint;
  readonly directoryStatus: bigint;
  readonly type: bigint;
  readonly profile: JsonObject;
  readonly managerIds: readonly string[];
  readonly #managerEmail: string | undefined;

  constructor(row: JsonObject, managerEmail: string | undefined) {
    this.id = text(row.id);
    this.displayName = text(row.displayName);
    this.email = text(row.email);
    this.emails = texts(row.emails);
    this.username = text(row.username);
    this.usernames = texts(row.usernames);
    this.department = text(row.department);
    this.jobTitle = text(row.jobTitle);
    this.employmentType = text(row.employmentType);
    this.employmentStatus = text(row.employmentStatus);
    this.status = enumNumber(USER_STATUS, text(row.status));
    this.directoryStatus = enumNumber(USER_STATUS, text(row.directoryStatus));
    this.type = enumNumber(USER_TYPE, text(row.type).replace(/^USER_TYPE_/, ""));
    this.profile = isObject(row.profile) ? row.profile : {};
    this.managerIds = texts(row.managerIds);
    this.#managerEmail = managerEmail;
  }

  get manager_id(): string {
    return this.managerIds[0] ?? "";
  }

  get manager(): string {
    if (this.managerIds.length === 0) return "";
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

  get directory_status(): bigint {
    return this.directoryStatus;
  }
}

/** The people of some user rows. A manager whose row is missing has an address that was not read. */
export function peopleOf(rows: readonly JsonObject[]): readonly Person[] {
  const emails = new Map(rows.map((row) => [text(row.id), text(row.email)]));
  return rows.map((row) => new Person(row, emails.get(texts(row.managerIds)[0] ?? "")));
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
