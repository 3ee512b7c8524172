import { createHash, hash } from "node:crypto";
import { canonical, type Json } from "../model/json.js";
import type { Plan } from "./plan.js";

/** The version of a saved plan's form. */
export const PLAN_FORMAT = 1;

/** A plan as it is saved, and the hash that pins it. */
export interface Frozen {
  readonly text: string;
  /** `sha256:…`, as `--expect` takes it. */
  readonly hash: string;
}

/** The SHA-256 of a value's one spelling, in hexadecimal. */
export function fingerprint(value: Json): string {
  return hash("sha256", canonical(value));
}

/** Writes a plan down in its one spelling: the same plan always gives the same text. */
export function freeze(plan: Plan): Frozen {
  const pin = pinPlan(plan);
  const spelling = [...spell(plan)].join("");
  return {
    text: `{"formatVersion":${PLAN_FORMAT},"hash":${JSON.stringify(pin)},"plan":${spelling}}\n`,
    hash: pin,
  };
}

/** The hash that pins a plan, as `--expect` takes it; a large plan is never held as one text for it. */
export function pinPlan(plan: Plan): string {
  const sum = createHash("sha256").update(`{"formatVersion":${PLAN_FORMAT},"plan":`);
  for (const piece of spell(plan)) sum.update(piece);
  return `sha256:${sum.update("}").digest("hex")}`;
}

/** A plan's one spelling, a step at a time. */
function* spell(plan: Plan): Generator<string> {
  let mark = "{";
  for (const [name, value] of Object.entries(plan).sort(([one], [other]) => (one < other ? -1 : 1))) {
    yield `${mark}${JSON.stringify(name)}:`;
    mark = ",";
    if (name === "steps") yield* spellList(plan.steps);
    else yield canonical(plain(value));
  }
  yield "}";
}

function* spellList(list: readonly unknown[]): Generator<string> {
  let mark = "[";
  for (const item of list) {
    yield `${mark}${canonical(plain(item))}`;
    mark = ",";
  }
  yield list.length === 0 ? "[]" : "]";
}

// Members that are undefined do not belong to a value.
function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}

/** The hash over the one spelling of a saved plan without its hash. */
export function pinOf(spelling: string): string {
  return `sha256:${hash("sha256", `{"formatVersion":${PLAN_FORMAT},"plan":${spelling}}`)}`;
}
