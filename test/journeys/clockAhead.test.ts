import { expect, it } from "vitest";
import { makeJournal } from "../../src/apply/journal/journal.js";
import { recover } from "../../src/apply/journal/recover.js";
import type { Clock } from "../../src/model/clock.js";
import { Secret } from "../../src/model/secret.js";
import { makeClient } from "../../src/tenant/client/client.js";
import { NO_PROXIES } from "../../src/tenant/client/proxy.js";
import { automation, setScene } from "../apply/scene.js";
import { hastyClock } from "../fakes/inside.js";

const TEN_DAYS = 864_000_000;

/** A run is killed behind its creates, and the service carries them out late. The next run's clock is 10 days ahead. */
it("a clock that is ahead does not end the wait for creates that take effect late", async () => {
  const { sandbox, client, plan, lock, store, snapshot, clock } = await setScene({
    rules: [{ fault: "late", operation: "CreateAutomation", milliseconds: 400 }],
  });
  const { steps } = await plan(Array.from({ length: 9 }, (_, number) => automation(number + 1)));
  const head = { run: "killed", server: sandbox.url, lineage: "lineage", serial: 0, effect: "sha256:0" };
  const journal = makeJournal(lock.journal, head, clock, client.serverTime);
  await Promise.all(
    steps.map(async ({ address, key, managed: { identity }, after, calls }) => {
      const action = "create";
      const applied = after ?? {};
      const sent = { call: 0, of: 1, once: true, protected: false, step: "", background: {} };
      await journal({ type: "intended", address, action, key, identity, applied, ...sent });
      for (const call of calls) await client.send(call).catch(() => undefined);
    }),
  );

  const hasty = hastyClock(50);
  const ahead: Clock = { ...hasty, now: () => hasty.now() + TEN_DAYS };
  const next = makeClient({
    server: sandbox.url,
    credentials: { as: "bearer", token: new Secret(sandbox.token), from: ["REMIT_TOKEN"] },
    clock: ahead,
    random: () => 0.5,
    width: 4,
    retries: 3,
    requestTimeout: 30_000,
    userAgent: "remit/test",
    proxies: NO_PROXIES,
  });
  const recovery = await recover({
    journal: (await store.read()).journal,
    store: store.name,
    snapshot: await snapshot(),

    on: "full",
    service: next,
    patience: { clock: ahead, milliseconds: 30_000, createLag: 30_000, horizon: 2_000 },
  });
  next.close();
  expect(recovery?.settled.map(({ as }) => as)).toEqual(Array(9).fill("done"));
  expect(sandbox.log.creates().map(({ done }) => done)).toEqual(Array(9).fill(1));
});
