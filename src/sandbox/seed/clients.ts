import type { Path } from "../../model/path.js";
import type { Client } from "../auth/client.js";
import { refuse } from "../reading.js";
import type { SeedClient } from "./shape.js";

/** A client of a seed, which has one proof of who it is. */
export function clientOf({ id, secret, publicKey, trusts }: SeedClient, path: Path): Client {
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
  return proof;
}
