import seedSchema from "../../../schemas/seed.json" with { type: "json" };
import { readDocument } from "../../manifest/document.js";
import { hasErrors } from "../../model/diagnostic.js";
import { BadFile, say as describe } from "../../sandbox/tenant/document.js";
import { Unreadable } from "../../sandbox/tenant/reading.js";
import { makeSeed, type Seed } from "../../sandbox/tenant/seed/seed.js";
import type { SeedShape } from "../../sandbox/tenant/seed/shape.js";
import { compile } from "../../schema/compile.js";
import { say } from "../../words/say.js";

const check = compile(seedSchema, "the seed");

/** Reads a seed and checks it with its schema; throws a `BadFile` that knows every place that is wrong. */
export function readSeed(text: string, file: string): Seed {
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
