import type { Interface } from "../../../kinds/interface.js";
import { isObject, type Json } from "../../../model/json.js";
import { publicServer } from "../../../plan/server.js";
import { completeServer } from "../../../tenant/client/server.js";
import { text } from "../read.js";
import { FIXED, row } from "../row.js";

/** The tenant's address; the vendor's own names are read after remit's. */
export const server = row<string | null>({
  flag: "server",
  variables: [
    { name: "REMIT_SERVER" },
    { name: "CONDUCTORONE_SERVER_URL" },
    { name: "CONDUCTORONE_TENANT_DOMAIN", read: tenantServer },
  ],
  read: (value) => {
    const address = text(value);
    return address === undefined ? undefined : completeServer(address);
  },
  fallback: null,
  decides: FIXED,
  printed: shown,
});

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
  paths: {
    of: ({ seed, faults }) => [seed, faults].filter((path) => path !== null),
    without: (value, left) => {
      const kept = (path: string | null) => (path === null || left.has(path) ? null : path);
      return { ...value, seed: kept(value.seed), faults: kept(value.faults) };
    },
  },
});

function shown(address: string | null): string | null {
  return address === null ? null : publicServer(address);
}

/** The domain of a tenant, or only its first label, as the vendor's clients accept it. */
function tenantServer(value: Json | undefined): string | undefined {
  const domain = text(value);
  if (domain === undefined || domain === "sandbox" || domain.includes("://")) return domain;
  return `https://${domain.includes(".") ? domain : `${domain}.conductor.one`}`;
}
