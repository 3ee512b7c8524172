import type { Interface } from "../../../kinds/interface.js";
import { isObject } from "../../../model/json.js";
import { text } from "../read.js";
import { FIXED, members, row } from "../row.js";

/** How the embedded service is run. */
interface SandboxSettings {
  readonly seed: string | null;
  readonly faults: string | null;
  readonly interface: Interface;
}

/** How the embedded service is run. */
export const sandbox = row<SandboxSettings>({
  read: (value) =>
    isObject(value)
      ? {
          seed: text(value.seed) ?? null,
          faults: text(value.faults) ?? null,
          interface: value.interface === "core" ? "core" : "full",
        }
      : undefined,
  fallback: { seed: null, faults: null, interface: "full" },
  decides: FIXED,
  parts: (value) => members("sandbox", { ...value }),
  paths: {
    of: ({ seed, faults }) => [seed, faults].filter((path) => path !== null),
    without: (value, left) => {
      const kept = (path: string | null) => (path === null || left.has(path) ? null : path);
      return { ...value, seed: kept(value.seed), faults: kept(value.faults) };
    },
  },
});
