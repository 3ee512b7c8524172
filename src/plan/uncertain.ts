import { type Address, formatAddress } from "../model/address.js";

/** What to do about a create with an unknown result, in the words of every message about it. */
export function afterUncertain(address: Address): string {
  const name = formatAddress(address);
  return `Look for it in the service. Where it is not there, \`remit state forget ${name}\` lets the next apply create it. Where it is, a plan with \`--interface full\` adopts it; on a server that cannot be read, delete it there and forget it, or forget it and remove its manifest.`;
}
