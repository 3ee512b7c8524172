import type { Path } from "../../model/path.js";
import type { Client } from "../auth/client.js";
import { refuse } from "../reading.js";
import { idFor, type Names } from "./references.js";
import type { SeedClient } from "./shape.js";

/** A client of a seed, which has one proof of who it is. */
export function clientOf(client: SeedClient, names: Names, path: Path): Client {
  const { id, secret, publicKey, trusts, user, roles, denies } = client;
  const rights = {
    ...(user === undefined ? {} : { userId: idFor(user, "user", names) }),
    ...(roles.length === 0 ? {} : { roles }),
    ...(denies.length === 0 ? {} : { denies }),
  };
  const proofs: readonly Client[] = [
    ...(secret === undefined ? [] : [{ id, secret }]),
    ...(publicKey === undefined ? [] : [{ id, publicKey: { ...publicKey } }]),
    ...(trusts === undefined
      ? []
      : [{ id, trusts: { ...trusts, ...(trusts.publicKey ? { publicKey: { ...trusts.publicKey } } : {}) } }]),
  ];
  const [proof, ...others] = proofs;
  if (proof === undefined || others.length > 0)
    return refuse(path, "must have one of secret, publicKey, trusts");
  return { ...proof, ...rights };
}
