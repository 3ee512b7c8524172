import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseFaults } from "../../sandbox/faults/flag.js";
import { type FaultPlan, NO_FAULTS, readFaults } from "../../sandbox/faults/plan.js";
import { Unreadable } from "../../sandbox/tenant/reading.js";
import type { Seed } from "../../sandbox/tenant/seed/seed.js";
import { EMPTY_TENANT } from "../../sandbox/tenant/tenant.js";
import { reasonOf } from "../world/reason.js";
import { readSeed } from "./seed.js";

/** The input of a sandbox cannot be read; a file that can be read but is wrong is a `BadFile` instead. */
export class Unusable extends Error {}

/** The seed that a file describes; without a file, an empty tenant that creates whatever a write names. */
export function seedFrom(file: string | null, root: string): Seed {
  if (file === null) return { tenant: EMPTY_TENANT, clients: [] };
  return readSeed(read(file, root), file);
}

/** The faults that a file or the flag describes; none without either. */
export function faultsFrom(said: string | null, root: string): FaultPlan {
  if (said === null) return NO_FAULTS;
  if (/\.(ya?ml|json)$/i.test(said) || existsSync(resolve(root, said)))
    return readFaults(read(said, root), said);
  try {
    return parseFaults(said);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new Unusable(error.message);
  }
}

function read(file: string, root: string): string {
  try {
    return readFileSync(resolve(root, file), "utf8");
  } catch (error) {
    throw new Unusable(`${file}: ${reasonOf(String((error as NodeJS.ErrnoException).code))}`);
  }
}
