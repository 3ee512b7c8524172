import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { makeCheckout } from "../fakes/checkout.js";
import { runInside } from "../fakes/inside.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const NAMES = ["staging", "production"] as const;
type Name = (typeof NAMES)[number];

/** A store that records who asked, over Terraform's HTTP protocol. */
interface Recorder {
  readonly url: string;
  readonly requests: string[];
  documents: string[];
  close(): Promise<void>;
}

async function recorder(): Promise<Recorder> {
  const made = { requests: [] as string[], documents: [] as string[] };
  const server = createServer(async (request, reply) => {
    made.requests.push(`${request.method} ${request.url}`);
    let body = "";
    for await (const part of request) body += part;
    if (request.method === "POST") made.documents.push(body);
    const found = made.documents.at(-1);
    const status = request.method === "GET" && found === undefined ? 404 : 200;
    reply.writeHead(status).end(request.method === "GET" ? found : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/state`;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return Object.assign(made, { url, close });
}

let tenants: Readonly<Record<Name, Sandbox>>;
let stores: Readonly<Record<Name, Recorder>>;
beforeAll(async () => {
  tenants = { staging: await startSandbox({ seed: 1 }), production: await startSandbox({ seed: 2 }) };
  stores = { staging: await recorder(), production: await recorder() };
});
afterAll(async () => {
  for (const name of NAMES) await Promise.all([tenants[name].close(), stores[name].close()]);
});

/** How many scenes are tried; `REMIT_TEST_CONTEXTS` asks for more. */
const RUNS = Number(process.env.REMIT_TEST_CONTEXTS ?? 30);

const COMMANDS = [
  ["plan"],
  ["plan", "--offline"],
  ["plan", "--refresh-only"],
  ["apply", "--yes"],
  ["state", "list"],
  ["state", "unlock"],
  ["state", "move", "--from-project", "none"],
  ["get", "EntitlementAutomation"],
  ["import", "--dry-run"],
  ["doctor"],
  ["validate"],
  ["config"],
  ["render"],
];

const scene = fc.record({
  name: fc.constantFrom(...NAMES),
  command: fc.constantFrom(...COMMANDS),
  /** Where the selected name stands; nowhere for none. */
  said: fc.constantFrom("flag", "variable", "nowhere"),
  /** Which context the top level already describes, as before a project had contexts. */
  top: fc.option(fc.constantFrom(...NAMES), { freq: 1 }),
  /** Whose server and state the environment of the job names. */
  server: fc.option(fc.constantFrom(...NAMES), { freq: 1 }),
  state: fc.option(fc.constantFrom(...NAMES), { freq: 1 }),
  lock: fc.option(fc.constantFrom(...NAMES), { freq: 1 }),
  vendor: fc.option(fc.constantFrom(...NAMES), { freq: 1 }),
  token: fc.constantFrom("own", "shared", "both"),
});

it(
  "a run of one context sends nothing to, and reads no state of, another",
  async () => {
    const checkout = makeCheckout({
      ".gitignore": ".remit/\n",
      "a.yaml": `apiVersion: remit/v1\nkind: EntitlementAutomation\nmetadata: { name: a }\nspec:\n  appId: ${APP}\n  appEntitlementId: entitlement0000000000000001\n  cel: { expression: "true" }\n`,
    });
    let reached = 0;
    await fc.assert(
      fc.asyncProperty(scene, async ({ name, command, said, top, server, state, lock, vendor, token }) => {
        const settings = (one: Name) => ({ server: tenants[one].url, state: stores[one].url });
        const contexts = Object.fromEntries(NAMES.map((one) => [one, one === top ? {} : settings(one)]));
        const file = { project: "acme", ...(top === null ? {} : settings(top)), contexts };
        checkout.write("remit.yaml", JSON.stringify(file));
        checkout.commit();
        for (const one of NAMES) {
          stores[one].requests.length = 0;
          stores[one].documents = [];
        }
        const before = NAMES.map((one) => tenants[one].log.entries().length);
        const env = {
          ...checkout.env,
          REMIT_SETTINGS_FROM: "HEAD",
          ...(said === "variable" && { REMIT_CONTEXT: name }),
          ...(server !== null && { REMIT_SERVER: tenants[server].url }),
          ...(vendor !== null && { CONDUCTORONE_SERVER_URL: tenants[vendor].url }),
          ...(state !== null && { REMIT_STATE: stores[state].url }),
          ...(lock !== null && { TF_HTTP_LOCK_ADDRESS: stores[lock].url }),
          ...(token !== "own" && { REMIT_TOKEN: tenants[name].token }),
          ...(token !== "shared" && {
            REMIT_CONTEXT_STAGING_TOKEN: tenants.staging.token,
            REMIT_CONTEXT_PRODUCTION_TOKEN: tenants.production.token,
          }),
        };
        const argv = said === "flag" ? [...command, "--context", name] : command;
        const { code, stderr } = await runInside(argv, { cwd: checkout.root, env });
        expect(stderr).not.toContain("internal error");
        const asked = NAMES.filter((one, at) => tenants[one].log.entries().length > (before[at] ?? 0));
        const read = NAMES.filter((one) => stores[one].requests.length > 0);
        const touched = [...asked, ...read];
        expect(said === "nowhere" ? touched : touched.filter((one) => one !== name)).toEqual([]);
        if (code === 0 && touched.length > 0) reached += 1;
      }),
      { numRuns: RUNS },
    );
    expect(reached).toBeGreaterThan(10);
  },
  RUNS * 1_200,
);
