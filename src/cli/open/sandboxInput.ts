import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import seedSchema from "../../../schemas/seed.json" with { type: "json" };
import { readDocument } from "../../manifest/document.js";
import { hasErrors } from "../../model/diagnostic.js";
import { parseFaults } from "../../sandbox/faults/flag.js";
import { type FaultPlan, NO_FAULTS, readFaults } from "../../sandbox/faults/plan.js";
import { BadFile, say as describe } from "../../sandbox/tenant/document.js";
import { Unreadable } from "../../sandbox/tenant/reading.js";
import { makeSeed, type Seed } from "../../sandbox/tenant/seed/seed.js";
import type { SeedShape } from "../../sandbox/tenant/seed/shape.js";
import { EMPTY_TENANT } from "../../sandbox/tenant/tenant.js";
import { compile } from "../../schema/compile.js";
import { say } from "../../words/say.js";
import { reasonOf } from "../world/reason.js";

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

const check = compile(seedSchema, "the seed");

/**
 * Reads a seed and checks it with its schema; throws a `BadFile` that knows every place that is wrong. The last text is not
 * read again: one process may start several sandboxes of a seed.
 */
export function readSeed(text: string, file: string): Seed {
  const known = lastRead.get(text);
  if (known !== undefined) return known;
  const seed = seedOf(text, file);
  lastRead.clear();
  lastRead.set(text, seed);
  return seed;
}
const lastRead = new Map<string, Seed>();

function seedOf(text: string, file: string): Seed {
  const { value: document, diagnostics } = readDocument({ file, text, named: true }, check);
  if (hasErrors(diagnostics)) throw new BadFile(diagnostics);
  try {
    return makeSeed((document?.value ?? {}) as SeedShape);
  } catch (error) {
    if (!(error instanceof Unreadable) || document === null) throw error;
    throw new BadFile(
      error.problems.map((problem) =>
        say("sandbox/bad-file", { what: describe(problem) }, document.place(problem.path)),
      ),
    );
  }
}
