// What an apply costs each store: what its server counts, and how long the command takes.
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { startSandbox } from "../../src/sandbox/http/server.js";
import type { Command } from "../../test/fakes/command.js";
import { gitlabState } from "../../test/fakes/gitlabState.js";
import { makeGitRemote } from "../../test/fakes/gitRemote.js";
import { makeMany } from "../../test/fakes/many.js";
import { startPostgres } from "../../test/fakes/postgres.js";
import { makeProject } from "../../test/fakes/project.js";
import { startS3 } from "../../test/fakes/s3.js";

export { bundleCommand } from "../../test/fakes/command.js";

/** A store whose server counts. */
interface CountedStore {
  readonly env: Readonly<Record<string, string>>;
  /** What its server received so far, by its kind. */
  readonly counts: () => Promise<Readonly<Record<string, number>>>;
  readonly close: () => Promise<void>;
}

/** Each store, empty. A push to git takes 20 ms longer than to a folder. */
export const STORES: Readonly<Record<string, () => Promise<CountedStore>>> = {
  file: async () => ({ env: {}, counts: async () => ({}), close: async () => undefined }),
  git: repository,
  PostgreSQL: database,
  S3: bucket,
  https: project,
};

/** One apply: how many steps it had, what the server received, and the seconds that it took. */
export interface Cost {
  readonly what: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** A first apply, one with nothing to do, and one that updates everything, in a new store. */
export async function costsOf(
  command: Command,
  open: () => Promise<CountedStore>,
  steps: number,
): Promise<readonly Cost[]> {
  const store = await open();
  const many = makeMany(3 * steps, "full");
  const wanted = (round: number) =>
    many
      .wanted(round)
      .filter(({ kind }) => kind === "EntitlementAutomation")
      .slice(0, steps);
  const sandbox = await startSandbox({ interface: "full", tenant: many.tenant, seed: 1 });
  const files = makeProject({ guards: { maxChanges: 100_000, maxChangesPercent: 100 } });
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token, ...store.env };
  const costs: Cost[] = [];
  try {
    for (const [what, round] of [
      [`${steps} creates`, 3],
      ["nothing to do", 3],
      [`${steps} updates`, 4],
    ] as const) {
      files.write(wanted(round));
      const before = await store.counts();
      const began = performance.now();
      const { code, stderr } = await command.run(["apply", "--yes"], { cwd: files.cwd, env });
      const seconds = (performance.now() - began) / 1000;
      if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
      const after = await store.counts();
      const counts = Object.fromEntries(
        Object.entries(after).flatMap(([name, count]) => {
          const more = count - (before[name] ?? 0);
          return more === 0 ? [] : [[name, more]];
        }),
      );
      costs.push({ what, counts, seconds });
    }
    return costs;
  } finally {
    await sandbox.close();
    files.close();
    await store.close();
  }
}

async function repository(): Promise<CountedStore> {
  const remote = makeGitRemote();
  const pushes = join(remote.folder, "pushes");
  writeFileSync(pushes, "");
  writeFileSync(join(remote.folder, "hooks", "pre-receive"), `#!/bin/sh\nsleep 0.02\necho >> ${pushes}\n`, {
    mode: 0o755,
  });
  return {
    env: { REMIT_STATE: `git:${remote.folder}#state` },
    counts: async () => ({ pushes: readFileSync(pushes, "utf8").length }),
    close: async () => remote.close(),
  };
}

async function database(): Promise<CountedStore> {
  const server = await startPostgres({ waitsForDisk: true });
  const address = await server.database();
  const name = new URL(address).pathname.slice(1);
  const beside = address.replace(/[^/]*$/, "postgres");
  const question = `SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = '${name}'`;
  return {
    env: { REMIT_STATE: address },
    async counts() {
      // The server adds a connection's figures up when it ends.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const [row] = await server.run(beside, question);
      return { transactions: Number(row?.count) };
    },
    close: server.close,
  };
}

async function bucket(): Promise<CountedStore> {
  const server = await startS3();
  const counting = await countingProxy(server.url);
  return {
    env: {
      REMIT_STATE: `s3://${await server.bucket()}/remit/state?region=${server.region}`,
      AWS_ENDPOINT_URL_S3: counting.url,
      AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
      AWS_SECRET_ACCESS_KEY: "open-sesame",
    },
    counts: async () => ({ ...counting.counts }),
    async close() {
      counting.close();
      await server.close();
    },
  };
}

async function project(): Promise<CountedStore> {
  const server = await gitlabState({ "gitlab-ci-token:open-sesame": "Maintainer" }).serve();
  const counting = await countingProxy(server.url);
  const api = `${counting.url}/api/v4`;
  return {
    env: {
      REMIT_STATE: `${api}/projects/1/terraform/state/remit`,
      CI_API_V4_URL: api,
      CI_JOB_TOKEN: "open-sesame",
    },
    counts: async () => ({ ...counting.counts }),
    async close() {
      counting.close();
      await server.close();
    },
  };
}

/** A server before another one, that counts requests by their methods; a lock's are counted apart. */
async function countingProxy(to: string) {
  const counts: Record<string, number> = {};
  const server = createServer((asked, answer) => {
    const isLock = new URL(asked.url ?? "/", to).pathname.endsWith("/lock");
    const name = isLock ? `lock ${asked.method}` : `${asked.method}`;
    counts[name] = (counts[name] ?? 0) + 1;
    const { method, headers, url = "/" } = asked;
    const passed = request(
      new URL(url, to),
      { method: method ?? "GET", headers },
      (reply: IncomingMessage) => {
        answer.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(answer);
      },
    );
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, counts, close };
}
