import { Environment } from "@marcbachmann/cel-js";

// The library's serialiser works only where its main module was loaded before it.
export { serialize } from "@marcbachmann/cel-js/serialize";

/** Much longer than a readable expression; a list of a thousand mail addresses still fits. */
export const CEL_LIMITS = {
  maxAstNodes: 200_000,
  maxDepth: 250,
  maxListElements: 50_000,
  maxMapEntries: 50_000,
} as const;

/** The grammar of expressions alone: names and functions are the service's to know. */
export const GRAMMAR = new Environment({
  unlistedVariablesAreDyn: true,
  enableOptionalTypes: true,
  limits: CEL_LIMITS,
});
