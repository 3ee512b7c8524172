import type { Checked } from "../../model/diagnostic.js";
import { type Environment, readVariable } from "../../model/variables.js";
import { DEFAULT_SAMPLER, type Sampler } from "../../telemetry/sampler.js";
import { notKnown } from "./recipient.js";

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

const RATIOS: ReadonlyMap<string, number> = new Map([
  ["always_on", 1],
  ["always_off", 0],
]);

const NAMES = "always_on, always_off or traceidratio, each also with parentbased_ before it";
