// A TLS front before a sandbox, in a process of its own: the vendor's provider speaks https only, so every tool goes
// through the same front. It passes requests on over kept connections, and counts them.
import { fork } from "node:child_process";
import { Agent, request } from "node:http";
import { createServer } from "node:https";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = fileURLToPath(import.meta.url);

/** Starts a front before a server; `calls` gives how many came in since it was last asked. */
export async function startFront({ server, engine }) {
  const child = fork(here, [JSON.stringify({ server, engine })]);
  const answer = () => new Promise((resolve) => child.once("message", resolve));
  const url = await answer();
  return {
    url,
    calls: () => {
      const counted = answer();
      child.send("calls");
      return counted;
    },
    close: () => child.kill(),
  };
}

async function serve({ server, engine }) {
  /** @type {import("./stage.mjs").Engine} */
  const { CERTIFICATE } = await import(pathToFileURL(engine).href);
  const agent = new Agent({ keepAlive: true });
  let calls = 0;
  const front = createServer(CERTIFICATE, (incoming, outgoing) => {
    calls += 1;
    const { method, headers } = incoming;
    const passed = request(new URL(incoming.url ?? "/", server), { method, headers, agent }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  front.keepAliveTimeout = 60_000;
  front.listen(0, "127.0.0.1", () => {
    const { port } = /** @type {import("node:net").AddressInfo} */ (front.address());
    process.send?.(`https://127.0.0.1:${port}`);
  });
  process.on("message", () => {
    process.send?.(calls);
    calls = 0;
  });
  process.on("disconnect", () => process.exit());
}

if (process.argv[1] === here) await serve(JSON.parse(process.argv[2]));
