import type { Source } from "../../manifest/source.js";
import type { Plan } from "../plan.js";
import { type Step, wasDeleted } from "../step.js";
import { hashOfText } from "./spelling.js";

/** The files with manifests that the tenant differs from, each with the hash of its text, by name. */
export function filesOf(
  steps: readonly Step[],
  sources: readonly Pick<Source, "file" | "text">[],
): Plan["files"] {
  const concerned = new Set(
    steps.filter(isOtherwise).flatMap(({ managed: { span } }) => (span === null ? [] : [span.file])),
  );
  const found = sources.filter(({ file }) => concerned.has(file));
  return Object.fromEntries(
    found
      .map(({ file, text }) => [file, hashOfText(text)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** Whether the tenant has something else than the manifest or the state, and the plan knows what. */
export function isOtherwise(step: Step): boolean {
  return wasDeleted(step) || (step.sight.exists === "yes" && step.changes.length > 0);
}
