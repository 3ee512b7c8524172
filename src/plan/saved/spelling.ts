import { createHash, hash } from "node:crypto";
import { canonical } from "../../model/json.js";
import { FORMAT } from "../../state/format.js";
import type { Planned } from "../plan.js";
import { storedBesideSteps, storedStep } from "./stored.js";

/** The SHA-256 of a value's one spelling, in hexadecimal. */
export function fingerprint(value: unknown): string {
  return hash("sha256", canonical(value));
}

/** The same of an object whose members are spelled already, by their names. */
export function fingerprintOfSpelled(members: ReadonlyMap<string, string>): string {
  const names = [...members.keys()].sort();
  return hash("sha256", `{${names.map((name) => `${JSON.stringify(name)}:${members.get(name)}`).join(",")}}`);
}

/** The hash of a file's text, without its byte order mark. */
export function hashOfText(text: string): string {
  return `sha256:${hash("sha256", text)}`;
}

/** The seal of a plan: the SHA-256 of what is stored of it, in its one spelling. A large plan is never held as one text for it. */
export function sealOf(plan: Planned): string {
  return sealOfPieces(spell(plan));
}

/** The seal of a saved plan, from its one spelling without its hashes. */
export function sealOfText(spelling: string): string {
  return sealOfPieces([spelling]);
}

function sealOfPieces(spelling: Iterable<string>): string {
  const sum = createHash("sha256").update(`{"formatVersion":${FORMAT},"plan":`);
  for (const piece of spelling) sum.update(piece);
  return `sha256:${sum.update("}").digest("hex")}`;
}

/** The one spelling of what is stored of a plan, a step at a time. */
export function* spell(plan: Planned): Generator<string> {
  let mark = "{";
  const stored = { ...storedBesideSteps(plan), steps: null };
  for (const [name, value] of Object.entries(stored).sort(([one], [other]) => (one < other ? -1 : 1))) {
    yield `${mark}${JSON.stringify(name)}:`;
    mark = ",";
    if (name === "steps") yield* spellSteps(plan.steps);
    else yield canonical(value);
  }
  yield "}";
}

function* spellSteps(steps: Planned["steps"]): Generator<string> {
  let mark = "[";
  for (const step of steps) {
    yield `${mark}${canonical(storedStep(step))}`;
    mark = ",";
  }
  yield steps.length === 0 ? "[]" : "]";
}
