import type { Path } from "../../model/path.js";
import { user as userMessage } from "../messages/user.js";
import type { NamedRow } from "../tenant.js";
import { SEEDED_AT } from "./apps.js";
import { checked } from "./checked.js";
import { idOf } from "./naming.js";
import type { SeedUser } from "./shape.js";

/** The row of one user of a seed. */
export function userRow(user: SeedUser, path: Path): NamedRow {
  const { name, email, department, jobTitle, manager, status = "ENABLED", profile, fields = {} } = user;
  const written = {
    ...(email === undefined ? {} : { email, emails: [email] }),
    ...(department === undefined ? {} : { department }),
    ...(jobTitle === undefined ? {} : { jobTitle }),
    ...(manager === undefined ? {} : { managerIds: [userId({ email: manager, name: manager })] }),
    status,
    directoryStatus: status,
    type: "USER_TYPE_HUMAN",
    origin: "USER_ORIGIN_DIRECTORY",
    ...(profile === undefined ? {} : { profile }),
    ...fields,
  };
  return {
    ...checked(written, userMessage, path),
    ...SEEDED_AT,
    ...(status === "DELETED" ? { deletedAt: "2025-06-30T17:00:00Z" } : {}),
    id: user.id ?? userId(user),
    displayName: name,
  };
}

/** The id of a user, made of the address or, without one, of the name. */
function userId({ email, name }: { readonly email?: string; readonly name: string }): string {
  return idOf("user", email ?? name);
}
