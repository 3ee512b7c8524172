import { onTestFinished } from "vitest";
import { Secret } from "../../src/model/secret.js";
import { type Client, type ClientOptions, makeClient } from "../../src/tenant/client/client.js";
import { NO_PROXIES } from "../../src/tenant/client/proxy.js";
import { type FakeClock, fakeClock } from "./clock.js";
import { type FakeServer, type Script, startServer } from "./server.js";

/** A token that no output may show. */
export const TOKEN = "s3cr3t-t0ken";

/** A client and the fake service it talks to. */
export interface Pair {
  readonly client: Client;
  readonly server: FakeServer;
  readonly clock: FakeClock;
  readonly log: readonly string[];
}

/** Starts a fake service and a client of it; both are closed when the test ends. */
export async function startPair(script: Script, options: Partial<ClientOptions> = {}): Promise<Pair> {
  const server = await startServer(script);
  const clock = fakeClock();
  const log: string[] = [];
  const client = makeClient({
    server: server.url,
    credentials: { as: "bearer", token: new Secret(TOKEN), from: ["REMIT_TOKEN"] },
    clock,
    random: () => 0.5,
    width: 10,
    retries: 4,
    requestTimeout: 5_000,
    userAgent: "remit/test",
    proxies: NO_PROXIES,
    log: (line) => log.push(line),
    ...options,
  });
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  return { client, server, clock, log };
}

/** What a promise was rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`expected a rejection, and got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}
