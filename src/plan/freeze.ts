import { hash } from "node:crypto";
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
  const spelling = canonical(JSON.parse(JSON.stringify(plan)));
  const pin = pinOf(spelling);
  const text = `{"formatVersion":${PLAN_FORMAT},"hash":${JSON.stringify(pin)},"plan":${spelling}}\n`;
  return { text, hash: pin };
}

/** The hash over the one spelling of a saved plan without its hash. */
export function pinOf(spelling: string): string {
  return `sha256:${hash("sha256", `{"formatVersion":${PLAN_FORMAT},"plan":${spelling}}`)}`;
}
