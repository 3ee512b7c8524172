import type { Path } from "../../../model/path.js";
import { user as userMessage } from "../../messages/user.js";
import { refuse } from "../reading.js";
import type { NamedRow } from "../tenant.js";
import { SEEDED_AT } from "./apps.js";
import { checked } from "./checked.js";
import { profileRow, valueRow } from "./named.js";
import { idOf } from "./naming.js";
import { peopleRows } from "./people.js";
import type { Names } from "./references.js";
import { inFull, type SeedShape, type SeedUser } from "./shape.js";

/** Everything in a seed that other parts of it name: users, access profiles, values. */
interface Population {
  readonly users: readonly NamedRow[];
  readonly profiles: readonly NamedRow[];
  readonly values: readonly NamedRow[];
  readonly names: Names;
  /** The id of the user of that e-mail. */
  operatorId(email: string): string;
}

/** Reads what a seed says of users, made-up people, access profiles and values. */
export function populationOf(seed: SeedShape): Population {
  const users = [
    ...(seed.users ?? []).map((user, place) => userRow(user, ["users", place])),
    ...(seed.people === undefined ? [] : peopleRows(seed.people)),
  ];
  const profiles = (seed.accessProfiles ?? []).map((each, place) =>
    profileRow(each, ["accessProfiles", place]),
  );
  const riskLevels = (seed.riskLevels ?? []).map((each) => valueRow("riskLevel", inFull(each)));
  const frameworks = (seed.complianceFrameworks ?? []).map((each) =>
    valueRow("complianceFramework", inFull(each)),
  );
  const names: Names = {
    user: named(users, "email"),
    profile: named(profiles, "displayName"),
    riskLevel: named(riskLevels, "value"),
    complianceFramework: named(frameworks, "value"),
  };
  return {
    users,
    profiles,
    values: [...riskLevels, ...frameworks],
    names,
    operatorId: (email) => names.user.get(email) ?? refuse(["operator"], "is not the e-mail of a user"),
  };
}

/** From the name of each row to its id; where two rows have one name, to that of the first. */
function named(rows: readonly NamedRow[], field: string): ReadonlyMap<string, string> {
  return new Map([...rows].reverse().map((row) => [String(row[field]), row.id]));
}

/** The row of one user of a seed. */
function userRow(user: SeedUser, path: Path): NamedRow {
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
