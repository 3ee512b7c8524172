import { textOf, textsOf } from "../kinds/spelling.js";
import { MESSAGES } from "../manifest/environments.js";
import { isObject, type JsonObject } from "../model/json.js";
import { enumValue, type StatusValue, USER_STATUS, USER_TYPE, type UserTypeValue } from "./enums.js";
import { readAsSpelled } from "./fieldNames.js";
import { NotRead } from "./rule/fault.js";

/**
 * A user of the tenant as a rule sees them. A field that the service left empty is an empty text, as the service has it.
 * What nothing asks for is not decoded.
 */
export class Person {
  readonly id: string;
  readonly #row: JsonObject;
  readonly #emailOf: (id: string) => string | undefined;

  constructor(row: JsonObject, emailOf: (id: string) => string | undefined) {
    this.id = textOf(row, "id");
    this.#row = row;
    this.#emailOf = emailOf;
  }

  get displayName(): string {
    return textOf(this.#row, "displayName");
  }

  get email(): string {
    return textOf(this.#row, "email");
  }

  get emails(): readonly string[] {
    return textsOf(this.#row, "emails");
  }

  get username(): string {
    return textOf(this.#row, "username");
  }

  get usernames(): readonly string[] {
    return textsOf(this.#row, "usernames");
  }

  get department(): string {
    return textOf(this.#row, "department");
  }

  get jobTitle(): string {
    return textOf(this.#row, "jobTitle");
  }

  get employmentType(): string {
    return textOf(this.#row, "employmentType");
  }

  get employmentStatus(): string {
    return textOf(this.#row, "employmentStatus");
  }

  get status(): StatusValue {
    return enumValue(USER_STATUS, textOf(this.#row, "status"));
  }

  get directoryStatus(): StatusValue {
    return enumValue(USER_STATUS, textOf(this.#row, "directoryStatus"));
  }

  get type(): UserTypeValue {
    return enumValue(USER_TYPE, textOf(this.#row, "type").replace(/^USER_TYPE_/, ""));
  }

  get profile(): JsonObject {
    const { profile } = this.#row;
    return isObject(profile) ? profile : NO_PROFILE;
  }

  get managerIds(): readonly string[] {
    return textsOf(this.#row, "managerIds");
  }

  get manager_id(): string {
    const [first = "", ...others] = this.managerIds;
    if (others.length > 0) throw new NotRead("which of several managers counts");
    return first;
  }

  get manager(): string {
    const id = this.manager_id;
    if (id === "") return "";
    const email = this.#emailOf(id);
    if (email === undefined) throw new NotRead("the e-mail address of a manager");
    return email;
  }

  /** The service does not show attributes: they are not the same as the profile. */
  get attributes(): JsonObject {
    throw new NotRead("subject.attributes");
  }
}

readAsSpelled(Person, MESSAGES.User);

/** Whether a field of a person has a value: what the service left empty has none. A manager need not be known for that. */
export function isFilledIn(person: Person, name: string): boolean {
  if (name === "manager" || name === "manager_id") return person.managerIds.length > 0;
  const value = (person as unknown as Readonly<Record<string, unknown>>)[name];
  if (typeof value === "string") return value !== "";
  if (typeof value !== "object" || value === null) throw new Error("no such field exists");
  if ("name" in value && value.name === "UNSPECIFIED") return false;
  return Object.keys(value).length > 0;
}

const NO_PROFILE: JsonObject = {};

/** The people of some user rows. A manager whose row is missing has an address that was not read. */
export function peopleOf(rows: readonly JsonObject[]): readonly Person[] {
  let emails: ReadonlyMap<string, string> | null = null;
  const emailOf = (id: string) => {
    emails ??= new Map(rows.map((row) => [textOf(row, "id"), textOf(row, "email")]));
    return emails.get(id);
  };
  return rows.map((row) => new Person(row, emailOf));
}
