import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CERTIFICATE } from "../../fakes/certificate.js";
import { otherProcess } from "../../state/otherProcess.js";

/** Asks an HTTPS server directly, and through a proxy that learns only its address. */
const SCRIPT = `
  import { createServer as createProxy } from "node:http";
  import { createServer } from "node:https";
  import { connect } from "node:net";
  import { makeTransport } from "src/tenant/client/transport.js";
  const listen = (server) => new Promise((done) => server.listen(0, "127.0.0.1", () => done(server.address().port)));
  const port = await listen(createServer(${JSON.stringify(CERTIFICATE)}, (_, response) => response.end("{}")));
  const tunnels = [];
  const proxy = createProxy();
  proxy.on("connect", (asked, socket) => {
    tunnels.push(asked.url === "127.0.0.1:" + port && asked.headers.authorization === undefined);
    const onward = connect(port, "127.0.0.1", () => socket.write("HTTP/1.1 200 OK\\r\\n\\r\\n"));
    onward.pipe(socket).pipe(onward);
  });
  const through = "http://127.0.0.1:" + (await listen(proxy));
  const headers = { authorization: "Bearer hunter2" };
  const message = { method: "POST", url: "https://127.0.0.1:" + port + "/x", headers, body: "{}" };
  const answers = [];
  for (const way of [null, through]) {
    const { status, code } = await makeTransport({ width: 1, requestTimeout: 5000, largestReply: 1_000_000, proxy: way, clock: { elapsed: () => 0 } }).transmit(message);
    answers.push(status ?? code);
  }
  console.log(JSON.stringify({ answers, tunnels }));
  process.exit();
`;

test("an authority that NODE_EXTRA_CA_CERTS names is trusted, straight and through a proxy", async () => {
  const other = await otherProcess();
  onTestFinished(other.close);
  const authorities = join(other.folder, "authorities.pem");
  await writeFile(authorities, CERTIFICATE.cert);
  const refused = await other.run(SCRIPT);
  expect(refused).toEqual({ answers: Array(2).fill("DEPTH_ZERO_SELF_SIGNED_CERT"), tunnels: [true] });
  const trusting = await other.run(SCRIPT, { env: { ...process.env, NODE_EXTRA_CA_CERTS: authorities } });
  expect(trusting).toEqual({ answers: [200, 200], tunnels: [true] });
});
