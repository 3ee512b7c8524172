import type { Checked } from "../model/diagnostic.js";
import { type Environment, readVariable } from "../model/variables.js";
import { notKnown } from "./recipient.js";

/** Which traces are kept. */
export interface Sampler {
  /** Whether the pipeline's own decision comes first. */
  readonly asksParent: boolean;
  /** The part of all traces that is kept, between 0 and 1. */
  readonly ratio: number;
}

/** Keeps what the pipeline keeps, and every trace that begins here. */
export const DEFAULT_SAMPLER: Sampler = { asksParent: true, ratio: 1 };

/** The sampler that OpenTelemetry's variables name. */
export function samplerFrom(env: Environment): Checked<Sampler> {
  const name = readVariable(env, "OTEL_TRACES_SAMPLER") ?? "parentbased_always_on";
  const part = readVariable(env, "OTEL_TRACES_SAMPLER_ARG");
  const asksParent = name.startsWith("parentbased_");
  const root = name.replace(/^parentbased_/, "");
  const ratio = root === "traceidratio" ? Number(part ?? 1) : RATIOS.get(root);
  if (ratio === undefined)
    return { value: DEFAULT_SAMPLER, diagnostics: [notKnown("OTEL_TRACES_SAMPLER", NAMES)] };
  if (!(ratio >= 0 && ratio <= 1)) {
    const fault = notKnown("OTEL_TRACES_SAMPLER_ARG", "a number between 0 and 1");
    return { value: DEFAULT_SAMPLER, diagnostics: [fault] };
  }
  return { value: { asksParent, ratio }, diagnostics: [] };
}

/** Whether a trace is kept; `parent` is what the pipeline decided of it, null where the run begins the trace. */
export function isKept(id: string, parent: boolean | null, { asksParent, ratio }: Sampler): boolean {
  if (asksParent && parent !== null) return parent;
  // The last 56 bits of an id are random, so all programs that take part in a trace decide alike.
  return Number.parseInt(id.slice(-14), 16) >= (1 - ratio) * 2 ** 56;
}

const RATIOS: ReadonlyMap<string, number> = new Map([
  ["always_on", 1],
  ["always_off", 0],
]);

const NAMES = "always_on, always_off or traceidratio, each also with parentbased_ before it";
