import type { Path } from "../../../model/path.js";
import { texts } from "../../wire/member.js";
import { refuse } from "../reading.js";
import type { AccountRow, NamedRow } from "../tenant.js";
import { type AppRows, SEEDED_AT } from "./apps.js";
import { idOf } from "./naming.js";
import { idFor, type Names } from "./references.js";
import type { SeedAccount } from "./shape.js";

/** Whether a user is still there: a deleted one has no accounts and no grants. */
export function isPresent(user: NamedRow): boolean {
  return user.status !== "DELETED";
}

/** The id of the account of a user in an app. */
export function accountId(user: NamedRow, appId: string): string {
  return idOf("account", appId, user.id);
}

/** The account of a user in an app; the same however often it is asked for. */
export function accountOf(user: NamedRow, appId: string): AccountRow {
  const { displayName = "", email = "", username = "" } = user;
  const isEnabled = user.status === "ENABLED";
  return {
    id: accountId(user, appId),
    appId,
    displayName,
    email,
    emails: texts(user, "emails"),
    username,
    usernames: texts(user, "usernames"),
    identityUserId: user.id,
    appUserType: user.type === "USER_TYPE_HUMAN" ? "APP_USER_TYPE_USER" : "APP_USER_TYPE_SERVICE_ACCOUNT",
    status: { status: isEnabled ? "STATUS_ENABLED" : "STATUS_DISABLED", details: isEnabled ? "Active" : "" },
    ...SEEDED_AT,
  };
}

/** An account that a seed writes down: of a service, of a system, or of a user by another name. */
export function accountRow(
  {
    app,
    name,
    email = "",
    owner,
    type = "SERVICE_ACCOUNT",
    status = "ENABLED",
    external = false,
  }: SeedAccount,
  apps: readonly AppRows[],
  names: Names,
  path: Path,
): AccountRow {
  const appId = apps.find((each) => each.app.displayName === app)?.app.id;
  if (appId === undefined) return refuse([...path, "app"], "is not the name of an app");
  return {
    id: idOf("account", appId, name),
    appId,
    displayName: name,
    email,
    username: name,
    identityUserId: owner === undefined ? "" : idFor(owner, "user", names),
    isExternal: external,
    appUserType: `APP_USER_TYPE_${type}`,
    status: { status: `STATUS_${status}`, details: "" },
    ...SEEDED_AT,
  };
}
