import { setMaxListeners } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../../model/clock.js";
import { makePostponed } from "../answer/postponed.js";
import { makeRoutes } from "../answer/routes.js";
import { type AuthOptions, makeAuth } from "../auth/auth.js";
import { makeRandom } from "../faults/chance.js";
import { type Faults, makeFaults } from "../faults/faults.js";
import { type FaultPlan, NO_FAULTS } from "../faults/plan.js";
import { type Entry, type Log, makeLog } from "../log.js";
import { openDataFile } from "../tenant/dataFile.js";
import { makeStore, type Store } from "../tenant/store.js";
import { EMPTY_TENANT, type Tenant } from "../tenant/tenant.js";
import { control } from "./control.js";
import type { Interface, Quirks, Serve } from "./exchange.js";
import { makeListener } from "./listener.js";
import { makeLabel } from "./paths.js";

/** The settings of a sandbox; every field has a default. */
export interface SandboxOptions {
  /** Any free port when absent. */
  readonly port?: number;
  /** Loopback when absent. */
  readonly host?: string;
  /** `full` when absent. */
  readonly interface?: Interface;
  /** What the tenant holds; an open tenant with nothing in it when absent. */
  readonly tenant?: Tenant;
  /** Where the tenant is kept from run to run; what it holds goes before `tenant`. */
  readonly dataFile?: string;
  /** Decides ids, and everything else that is left to chance. */
  readonly seed?: number;
  readonly faults?: FaultPlan;
  readonly auth?: AuthOptions;
  readonly clock?: Clock;
  /** How many entries the log keeps; all when absent. */
  readonly keep?: number;
  /** Called for every request after its reply was sent. */
  readonly log?: (entry: Entry) => void;
  /** Called for what should never happen. */
  readonly report?: (error: unknown) => void;
}

/** A running stand-in for the service. */
export interface Sandbox {
  /** Without a slash at its end. */
  readonly url: string;
  /** A token that is always good. */
  readonly token: string;
  readonly log: Log;
  readonly faults: Faults;
  readonly store: Store;
  /** Ends it: no request is answered any more, and the data file holds everything. */
  close(): Promise<void>;
}

/** Serves a tenant over HTTP. Throws a `BadFile` where the data file cannot be used. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const clock = options.clock ?? systemClock;
  const spoken = options.interface ?? "full";
  const report = options.report ?? (() => undefined);
  const { id: tenantId, operatorId } = options.tenant ?? EMPTY_TENANT;
  const auth = makeAuth(
    { ...options.auth, tenantId, ...(operatorId === undefined ? {} : { operatorId }) },
    spoken,
    clock.now,
  );
  const faults = makeFaults(options.faults ?? NO_FAULTS, clock);
  const log = makeLog(options.keep ?? Number.POSITIVE_INFINITY, options.log);
  const closing = new AbortController();
  // As many replies wait on it as are kept back.
  setMaxListeners(0, closing.signal);
  const data =
    options.dataFile === undefined
      ? undefined
      : await openDataFile(options.dataFile, () => store.toTenant(), report);
  const random = makeRandom((options.seed ?? 1) + rowsIn(data?.tenant));

  const postponed = makePostponed(clock);
  let store = makeStore(data?.tenant ?? options.tenant);
  let mood: Quirks = {};
  let routes = openRoutes();

  function openRoutes(): Serve {
    const now = () => serviceTime(mood);
    return makeRoutes({ store, interface: spoken, now, random, quirks: () => mood });
  }

  function serviceTime({ clockAhead = 0 }: Quirks): number {
    return clock.now() + clockAhead;
  }

  function reset(): void {
    store = makeStore(options.tenant);
    routes = openRoutes();
    faults.set(options.faults ?? NO_FAULTS);
    log.clear();
    postponed.clear();
    data?.changed();
  }

  const host = options.host ?? "127.0.0.1";
  const listener = makeListener({
    host,
    auth,
    faults,
    log,
    label: makeLabel(spoken),
    clock,
    random,
    postponed,
    serviceTime,
    serve(request, quirks) {
      mood = quirks;
      return routes(request);
    },
    control: (request, caller) =>
      control(request, caller, {
        faults,
        log,
        tenant: () => store.toTenant(),
        token: options.auth?.token,
        reset,
      }),
    changed: () => data?.changed(),
    closing: closing.signal,
    report,
  });
  const { url, close } = await listen(createServer(listener), host, options.port ?? 0);
  return {
    url,
    token: auth.token,
    log,
    faults,
    get store() {
      postponed.byTime();
      return store;
    },
    async close() {
      closing.abort();
      await close();
      postponed.finish();
      await data?.flush();
    },
  };
}

/**
 * How many rows a data file brought along. Ids are a moment and chance: runs of one second that continue each other
 * must not draw the same chances.
 */
function rowsIn(tenant: Tenant | undefined): number {
  return Object.values(tenant ?? {}).reduce((sum, rows) => sum + (Array.isArray(rows) ? rows.length : 0), 0);
}

/** Opens a server to the world, or its own machine. */
async function listen(server: Server, host: string, port: number) {
  // Longer than any client keeps an idle connection, so that none is closed under a request.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  } as const;
}

/** The clock of this machine; its sleepers keep no process alive. */
const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, milliseconds).unref();
      signal?.addEventListener("abort", stop, { once: true });
    }),
};
