import type { Address } from "../model/address.js";
import { formatAddress } from "../model/address.js";
import { fingerprint } from "./freeze.js";
import type { Step } from "./step.js";

/**
 * The hash that an acknowledgement names with `of`: of the guard, of the address, and of each step that the finding is
 * about, with its value before and after. Another value gives another hash.
 */
export function hashOfFinding(guard: string, address: Address | null, steps: readonly Step[]): string {
  const about = steps.map((step) => ({
    address: formatAddress(step.address),
    key: step.key,
    action: step.action,
    before: step.before,
    after: step.after,
    ...(step.driftedFrom === null ? {} : { driftedFrom: step.driftedFrom }),
  }));
  const hashes = about.map(fingerprint).sort();
  const name = address === null ? null : formatAddress(address);
  return `sha256:${fingerprint({ guard, address: name, steps: hashes })}`;
}
