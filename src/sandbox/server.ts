import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../model/clock.js";
import { type AuthOptions, makeAuth } from "./auth.js";
import { makeRandom } from "./chance.js";
import { makeDoor } from "./door.js";
import type { Interface, Quirks } from "./exchange.js";
import { type FaultPlan, type Faults, makeFaults, NO_FAULTS } from "./faults.js";
import { makeLabel } from "./label.js";
import { makeRoutes } from "./routes.js";
import { makeStore, type Store } from "./store.js";
import { systemClock } from "./systemClock.js";
import type { Tenant } from "./tenant.js";
import { type Entry, makeWitness, type Witness } from "./witness.js";

/** How a sandbox is to be; every field has a default. */
export interface SandboxOptions {
  /** Any free port when absent. */
  readonly port?: number;
  /** Loopback when absent. */
  readonly host?: string;
  /** `full` when absent. */
  readonly interface?: Interface;
  /** What the tenant holds; an open tenant with nothing in it when absent. */
  readonly tenant?: Tenant;
  /** Decides ids, and everything else that is left to chance. */
  readonly seed?: number;
  readonly faults?: FaultPlan;
  readonly auth?: AuthOptions;
  readonly clock?: Clock;
  /** How many entries the witness keeps; all when absent. */
  readonly keep?: number;
  /** Told of every request once its reply has gone. */
  readonly log?: (entry: Entry) => void;
  /** Told of what should never happen. */
  readonly report?: (error: unknown) => void;
}

/** A running stand-in for the service. */
export interface Sandbox {
  /** Without a slash at its end. */
  readonly url: string;
  /** A token that is always good. */
  readonly token: string;
  readonly witness: Witness;
  readonly faults: Faults;
  readonly store: Store;
  /** Ends it: no request is answered any more. */
  close(): Promise<void>;
}

/** The token of a sandbox that was given none. */
export const DEFAULT_TOKEN = "sandbox";

/** Serves a tenant over HTTP. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const clock = options.clock ?? systemClock;
  const random = makeRandom(options.seed ?? 1);
  const spoken = options.interface ?? "full";
  const token = options.auth?.token ?? DEFAULT_TOKEN;
  const store = makeStore(options.tenant);
  const faults = makeFaults(options.faults ?? NO_FAULTS, clock);
  const witness = makeWitness(options.keep ?? Number.POSITIVE_INFINITY, options.log);
  let mood: Quirks = {};
  const routes = makeRoutes({ store, interface: spoken, now: clock.now, random, quirks: () => mood });

  const server = createServer(
    makeDoor({
      auth: makeAuth({ ...options.auth, token }, spoken, clock.now),
      faults,
      witness,
      label: makeLabel(spoken),
      clock,
      random,
      serve(request, quirks) {
        mood = quirks;
        return routes(request);
      },
      changed: () => undefined,
      report: options.report ?? (() => undefined),
    }),
  );
  // Longer than any client keeps an idle connection, so that none is closed under a request.
  server.keepAliveTimeout = 120_000;
  const host = options.host ?? "127.0.0.1";
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    token,
    witness,
    faults,
    store,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
