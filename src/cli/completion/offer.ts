import { type Address, byAddress, formatAddress } from "../../entry/values.js";

/** What a shell may put on its line as it is: names are of these characters, unless somebody means harm. */
const HARMLESS = /^[A-Za-z]+\/[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Addresses to choose from; none where they cannot be read: what is wrong is for the command itself to say. */
export async function offer(read: () => Promise<readonly Address[]>): Promise<readonly string[]> {
  const addresses = await read().catch(() => []);
  const texts = [...addresses].sort(byAddress).map(formatAddress);
  return [...new Set(texts)].filter((text) => HARMLESS.test(text));
}
