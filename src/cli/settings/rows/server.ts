import type { Json } from "../../../model/json.js";
import { publicServer } from "../../../plan/server.js";
import { completeServer } from "../../../tenant/client/server.js";
import { text } from "../read.js";
import { FIXED, part, row } from "../row.js";

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
  parts: (value) => [part("server", value, shown(value))],
  printed: shown,
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
