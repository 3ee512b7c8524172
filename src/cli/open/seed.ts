import seedSchema from "../../../schemas/seed.json" with { type: "json" };
import { readDocument } from "../../manifest/document.js";
import { hasErrors } from "../../model/diagnostic.js";
import { BadFile, say } from "../../sandbox/tenant/document.js";
import { Unreadable } from "../../sandbox/tenant/reading.js";
import { makeSeed, type Seed } from "../../sandbox/tenant/seed/seed.js";
import type { SeedShape } from "../../sandbox/tenant/seed/shape.js";
import { compile } from "../../schema/compile.js";

const check = compile(seedSchema, "the seed");

/** Reads a seed and checks it with its schema; throws a `BadFile` that knows every place that is wrong. */
export function readSeed(text: string, file: string): Seed {
  const { value: document, diagnostics } = readDocument({ file, text, named: true }, check);
  if (hasErrors(diagnostics)) throw new BadFile(diagnostics);
  try {
    return makeSeed((document?.value ?? {}) as SeedShape);
  } catch (error) {
    if (!(error instanceof Unreadable) || document === null) throw error;
    const problems = error.problems.map((problem) => ({
      code: "sandbox/bad-file",
      severity: "error" as const,
      message: say(problem),
      ...document.place(problem.path),
    }));
    throw new BadFile(problems);
  }
}
