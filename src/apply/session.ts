import type { Clock } from "../model/clock.js";
import type { Store } from "../state/store.js";
import type { Client } from "../tenant/client/client.js";
import { makeTenant, type Tenant } from "../tenant/tenant.js";

/** The ports of one run against one tenant. */
export interface Session {
  readonly store: Store;
  /** Null where the service is not asked. */
  readonly client: Client | null;
  /** What was read of it so far, where one look at the tenant goes on from another. */
  readonly tenant?: Tenant;
  readonly clock: Clock;
  /** Milliseconds that a reply is waited for; the service may work on a lost request for so long. */
  readonly requestTimeout: number;
  /** Milliseconds for which lists of the service may not show a new object. */
  readonly createLag: number;
}

/** The client of a session that asks the service: without one, its caller made a mistake. */
export function clientOf({ client }: Pick<Session, "client">): Client {
  if (client === null) throw new Error("a session without a client asks nothing of the service");
  return client;
}

/** The tenant as a session sees it; null where the service is not asked. */
export function tenantOf({ client, tenant }: Pick<Session, "client" | "tenant">): Tenant | null {
  return client === null ? null : (tenant ?? makeTenant(client));
}
