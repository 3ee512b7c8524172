import { expect, it } from "vitest";
import { stoppable, untilAborted } from "../../src/apply/stop.js";
import { sessionScene } from "./sessionScene.js";

const READ = {
  operation: "Test",
  method: "GET",
  path: ["api", "v1", "apps"],
  effect: "read",
  expects: ["list"],
} as const;

it("a stopped session sends nothing more, and its open work ends in no rejection", async () => {
  const { session, sandbox } = await sessionScene();
  const controller = new AbortController();
  const { client, clock } = stoppable(session, controller.signal);
  if (client === null) throw new Error("the scene has a client");
  const page = client.pages(READ)[Symbol.asyncIterator]();
  expect((await client.send(READ)).status).toBe(200);
  expect((await page.next()).done).toBe(false);

  const before = sandbox.log.count();
  const ended: string[] = [];
  const hear = (name: string, work: Promise<unknown>) =>
    work.then(
      () => ended.push(`${name} resolved`),
      () => ended.push(`${name} rejected`),
    );
  const work = untilAborted(controller.signal, () => new Promise(() => undefined));
  controller.abort("SIGINT");
  await expect(work).rejects.toBe("SIGINT");
  hear("a call", client.send(READ));
  hear("a page", page.next());
  hear("a wait", clock.sleep(0));
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toEqual([]);
  expect(sandbox.log.count()).toBe(before);
});
