import type { Diagnostic } from "../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { didYouMean } from "../schema/didYouMean.js";
import type { Contexts } from "./contexts.js";
import { locate, type Written } from "./locate.js";

/**
 * Whether `metadata.contexts` places a manifest in the context of the run, or only in others; `unknown` where it has a
 * mistake. Without it, a manifest belongs to each context.
 */
export function belongingOf(
  { value, written }: { readonly value: JsonObject; readonly written: Written },
  { names, current }: Contexts,
  tell: (diagnostic: Diagnostic) => void,
): "here" | "elsewhere" | "unknown" {
  const { metadata } = value;
  if (!isObject(metadata) || !Object.hasOwn(metadata, "contexts")) return "here";
  const path = ["metadata", "contexts"];
  const asked = metadata.contexts ?? null;
  if (!areNames(asked)) {
    const hint = "Write it as `contexts: [NAME]`. A named value cannot stand here.";
    tell({ ...MISTAKE, message: "contexts is a list of names", ...locate(written, path), hint });
    return "unknown";
  }
  const unknown = asked.flatMap((name, at) => (names.includes(name) ? [] : [{ name, at }]));
  for (const { name, at } of unknown)
    tell({
      ...MISTAKE,
      message: `no context is called ${JSON.stringify(name)}`,
      ...locate(written, [...path, at]),
      hint: didYouMean(name, names) ?? known(names),
    });
  if (unknown.length > 0) return "unknown";
  return current === null || asked.includes(current) ? "here" : "elsewhere";
}

const MISTAKE = { code: "context/unknown", severity: "error" } as const;

function known(names: readonly string[]): string {
  return names.length === 0
    ? "This project has no contexts: remit.yaml lists them under `contexts`."
    : `The contexts of remit.yaml are ${names.join(", ")}.`;
}

function areNames(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
}
