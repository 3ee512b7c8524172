import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { missingS3, startS3 } from "./s3.js";

it.skipIf(missingS3() !== null)("a client that sends nothing holds up no other", async () => {
  const server = await startS3();
  const silent = connect(Number(new URL(server.url).port), "127.0.0.1");
  await once(silent, "connect");
  expect(await server.bucket()).toBe("bucket-1");
  expect(await server.keys("bucket-1", "")).toEqual([]);
  silent.destroy();
  await server.close();
});
