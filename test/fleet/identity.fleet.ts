import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readJwt } from "../../src/sandbox/auth/grants.js";
import { giveSecret, makeScene, namespace, type Scene } from "./scene.js";
import { applyObjects, ended, endOf, startJob } from "./stand/objects.js";
import { IMAGES } from "./stand/start.js";

const NAMESPACE = "remit-identity";
const OBJECTS = 16;
/** What a run gave for itself, in the order in which it did. */
const given: string[] = [];
let server = "";
let scene: Scene;

/** A server before a tenant that notes what signs in, and passes everything on. */
const before = createServer(async (request, response) => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces);
  const token = new URLSearchParams(body.toString()).get("subject_token");
  if (token !== null) given.push(token);
  const { host: _, connection: _connection, "content-length": _length, ...headers } = request.headers;
  const { method = "GET", url = "/" } = request;
  const sent = { method, headers: headers as Record<string, string>, ...(method !== "GET" && { body }) };
  const reply = await fetch(new URL(url, server), sent);
  response.writeHead(reply.status, { "content-type": reply.headers.get("content-type") ?? "text/plain" });
  response.end(Buffer.from(await reply.arrayBuffer()));
});

beforeAll(async () => {
  await new Promise<void>((listening) => before.listen(0, "127.0.0.1", listening));
  const own = `http://127.0.0.1:${(before.address() as AddressInfo).port}`;
  const through = async (url: string) => {
    server = url;
    return own;
  };
  // Its tokens end within a run, so that the pod signs in again.
  scene = await makeScene([{ name: "mine", lifetime: 1, latency: [500, 700], before: through }], OBJECTS);
  expect(await applyObjects(scene.api, [namespace(NAMESPACE)])).toEqual([]);
});
afterAll(async () => {
  await scene?.close();
  await new Promise((closed) => before.close(closed));
});

describe("a pod", () => {
  it("signs in as its own account for its own tenant, and reads its token again when it has changed", async () => {
    const { api, objects } = scene;
    const effect = await scene.effect("mine");
    const named = [
      "--apply",
      "--namespace",
      NAMESPACE,
      "--image",
      IMAGES.remit,
      "--expect",
      `mine=${effect}`,
    ];
    const fleet = await objects(named);
    expect(await applyObjects(api, fleet)).toEqual([]);
    await giveSecret(api, NAMESPACE, "remit-apply-mine");
    const name = fleet.find(({ kind }) => kind === "Job")?.metadata.name ?? "";
    await startJob(api, NAMESPACE, name);
    const [job] = await ended(api, NAMESPACE, 1);
    expect(job && endOf(job)?.type).toBe("Complete");
    expect(new Set(given).size).toBeGreaterThan(1);
    for (const token of given) {
      expect(readJwt(token)?.claims).toMatchObject({
        sub: `system:serviceaccount:${NAMESPACE}:remit-apply-mine`,
        aud: [`http://127.0.0.1:${(before.address() as AddressInfo).port}`],
      });
    }
  });
});
