// What a batch of the journal costs in each store on this machine, beside the file: issue's bound is 60 ms more.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadModule } from "../scripts/bundleModule.mjs";
import { median, row } from "./figure.mjs";
import { clock, entriesOf, owner } from "./kept.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const MOST = 60;

/** The figures: the median of batches that one line waits for. */
export async function figures({ quick }) {
  const folder = mkdtempSync(join(root, "node_modules", ".bench-"));
  try {
    return await measure(await loadModule("bench/sources/stores.ts", folder), folder, quick ? 50 : 300);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {typeof import("./sources/stores.js")} engine */
async function measure(engine, folder, batches) {
  const common = { version: "0.1.0", clock, requestTimeout: 60_000 };
  const path = join(folder, "state.json");
  const file = await timeOf(
    engine,
    engine.fileStore({ ...common, path, name: path, isDead: () => false }),
    batches,
  );
  const rows = [row("a batch of the journal in a file", round(file.batch), "ms", null, null, true)];
  const add = (what, { batch, save }) => {
    const more = batch - file.batch;
    rows.push(
      row(`a batch in ${what}, more than in a file`, round(more), "ms", `${MOST} ms`, null, more <= MOST),
    );
    rows.push(row(`a save of 1,000 objects in ${what}`, round(save), "ms", null, null, true));
  };
  if (engine.missingPostgres() === null) {
    const server = await engine.startPostgres({ waitsForDisk: true });
    const at = engine.readStateAddress(await server.database());
    if (at.as !== "postgres" || at.user === null || at.password === null) throw new Error("no credentials");
    const credentials = { user: at.user, password: new engine.Secret(at.password) };
    add("PostgreSQL", await timeOf(engine, engine.postgresStore({ ...common, at, credentials }), batches));
    await server.close();
  }
  if (engine.missingS3() === null) {
    const server = await engine.startS3();
    const { transmit, close } = engine.makeTransport({
      width: 16,
      requestTimeout: 20_000,
      largestReply: 1e9,
      proxy: null,
      clock,
    });
    const at = engine.bucketAddress(`s3://${await server.bucket()}/state`);
    /** @type {import("../src/state/s3/keys.js").KeySource} */
    const keys = { as: "keys", id: "AKIDEXAMPLE", secret: new engine.Secret("open-sesame"), session: null };
    const options = { ...common, at, region: "us-east-1", endpoint: server.url, keys, transmit };
    add("a bucket", await timeOf(engine, engine.s3Store(options), batches));
    close();
    await server.close();
  }
  return rows;
}

async function timeOf({ newSnapshot }, store, batches) {
  const lock = await store.lock(owner, { timeout: 0 });
  const times = [];
  for (let number = 0; number < batches; number += 1) {
    const began = performance.now();
    await lock.journal.append(
      `an intent of about the usual length, with its address and its body: ${"x".repeat(300)} ${number}`,
    );
    times.push(performance.now() - began);
  }
  const began = performance.now();
  await lock.save({ ...newSnapshot("lineage", "server"), serial: 1, entries: entriesOf(1_000) });
  const save = performance.now() - began;
  await lock.journal.clear();
  await lock.release();
  return { batch: median(times), save };
}

function round(milliseconds) {
  return Math.round(milliseconds * 10) / 10;
}
