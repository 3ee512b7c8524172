import { type Address, byAddress, formatAddress } from "../../model/address.js";

/** Names that a shell can insert unquoted. Every honest name has this form, with a key or without. */
const HARMLESS =
  /^[A-Za-z]+\/[A-Za-z0-9][A-Za-z0-9._-]*(?:\[[a-z0-9-]+\])?(?:@[A-Za-z0-9_-][A-Za-z0-9._/-]*)?$/;

/** Addresses to choose from; none if they cannot be read, because the command itself reports the error. */
export async function offer(read: () => Promise<readonly Address[]>): Promise<readonly string[]> {
  const addresses = await read().catch(() => []);
  const texts = [...addresses].sort(byAddress).map(formatAddress);
  return [...new Set(texts)].filter((text) => HARMLESS.test(text));
}
