import { divideKept } from "../diff/kept.js";
import type { Kind, Observed } from "../kinds/kind.js";
import type { JsonObject } from "../model/json.js";
import type { Uncertain } from "../state/snapshot.js";

/** A create that was sent, or was about to be, and whose result is not known. */
export interface SentCreate {
  /** The managed fields that it was to set. */
  readonly applied: JsonObject;
  /** Not after it was sent, by the service's clock, in milliseconds since 1970; null where that is not known. */
  readonly since: number | null;
}

/** What a read needs to find what a create of unknown result made; nothing without such a create. */
export function asSent(create: Pick<Uncertain, "applied" | "since"> | null): { readonly sent?: SentCreate } {
  return create === null ? {} : { sent: { applied: create.applied, since: timeOf(create.since) } };
}

/** A time by the service's clock; null for one that is not known. */
export function timeOf(text: string | null | undefined): number | null {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? null : time;
}

/** The service names its time in whole seconds, and its reply takes a moment: by so much two times of it may be off. */
export const INACCURACY = 2_000;

/**
 * Where names repeat, the one object that a create can have made. It is the only one of its name, was made after the
 * create was sent, and equals what the create itself sent. Undefined where that is not sure.
 */
export function madeBy(
  { applied, since }: SentCreate,
  [only, ...others]: readonly Observed[],
  { shape, followsCreate = [] }: Pick<Kind, "shape" | "followsCreate">,
): Observed | undefined {
  if (only === undefined || others.length > 0 || since === null) return undefined;
  const madeAt = timeOf(only.createdAt);
  const isNew = madeAt !== null && madeAt >= since - INACCURACY;
  const sent = Object.keys(applied).filter((name) => !followsCreate.includes(name));
  return isNew && divideKept(applied, only.fields, sent, shape).differs.length === 0 ? only : undefined;
}
