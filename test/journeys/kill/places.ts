import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitlabState } from "../../fakes/gitlabState.js";
import { type GitRemote, makeGitRemote, missingGitServer, startGitServer } from "../../fakes/gitRemote.js";
import { missingPostgres, startPostgres } from "../../fakes/postgres.js";
import { missingS3, startS3 } from "../../fakes/s3.js";

/** A place that keeps the states of runners whose disks do not stay. */
export interface KillPlace {
  readonly name: string;
  /** Why this machine does not have it; null where it does. */
  readonly missing: string | null;
  /** Opens it, for one trial after the other. */
  open(): Promise<OpenPlace>;
}

/** A place that is open. */
export interface OpenPlace {
  /** The variables that lead to a new, empty state. */
  state(): Promise<Readonly<Record<string, string>>>;
  /** Whether the lock of a silent holder is taken over; where it is not, a person has to unlock it. */
  readonly takesOver: boolean;
  /** Lets so much time pass for the holder of the lock that it may be taken over, where the store has a clock of its own. */
  outwait(env: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

const KEY = Buffer.alloc(32, 7).toString("base64");

/** Every store but the file, which `kill.test.ts` has, and memory. */
export const PLACES: readonly KillPlace[] = [
  { name: "git by a path", missing: null, open: async () => repositories(null, {}) },
  {
    name: "git over http, encrypted",
    missing: missingGitServer(),
    open: async () => repositories("http", { REMIT_STATE_KEY: KEY }),
  },
  { name: "a bucket (moto)", missing: missingS3(), open: buckets },
  { name: "PostgreSQL", missing: missingPostgres(), open: databases },
  { name: "GitLab (substitute)", missing: null, open: projects },
];

/** A file that outlives its runners, on one disk. */
export const FILE: KillPlace = { name: "a file", missing: null, open: files };

async function files(): Promise<OpenPlace> {
  const folders: string[] = [];
  return {
    async state() {
      const folder = mkdtempSync(join(tmpdir(), "remit-state-"));
      folders.push(folder);
      return { REMIT_STATE: join(folder, "state.json") };
    },
    takesOver: true,
    outwait: async () => undefined,
    async close() {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function repositories(over: "http" | null, more: Readonly<Record<string, string>>): Promise<OpenPlace> {
  const remotes: GitRemote[] = [];
  const closing: (() => Promise<void>)[] = [];
  return {
    async state() {
      const remote = makeGitRemote();
      remotes.push(remote);
      if (over === null) return { REMIT_STATE: `git:${remote.folder}#state`, ...more };
      remote.git("config", "http.receivepack", "true");
      const server = await startGitServer(remote.folder, {
        login: "x-access-token:open-sesame",
        takesPushes: true,
      });
      closing.push(server.close);
      return { REMIT_STATE: `git:${server.url}/#state`, REMIT_GIT_TOKEN: "open-sesame", ...more };
    },
    takesOver: true,
    outwait: async () => undefined,
    async close() {
      for (const close of closing) await close();
      for (const remote of remotes) remote.close();
    },
  };
}

async function buckets(): Promise<OpenPlace> {
  const server = await startS3();
  const keys = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "open-sesame" };
  return {
    async state() {
      const address = `s3://${await server.bucket()}/remit/state?region=eu-central-1`;
      return { REMIT_STATE: address, AWS_ENDPOINT_URL_S3: server.url, ...keys };
    },
    takesOver: true,
    outwait: async () => undefined,
    close: server.close,
  };
}

async function databases(): Promise<OpenPlace> {
  const server = await startPostgres();
  return {
    async state() {
      // A state without a name of its own has the project's, and people give it to other projects.
      const { href, username: PGUSER, password: PGPASSWORD } = new URL(await server.database());
      return { REMIT_STATE: `${href.replace(/\/\/.*@/, "//")}?state=kept`, PGUSER, PGPASSWORD };
    },
    takesOver: true,
    async outwait({ REMIT_STATE = "", PGUSER, PGPASSWORD }) {
      // The server's clock goes on by more than a lease and a request. The first lock makes the table.
      await server
        .run(
          REMIT_STATE.replace("//", `//${PGUSER}:${PGPASSWORD}@`),
          "UPDATE remit_state SET written = written - interval '100 seconds'",
        )
        .catch(() => []);
    },
    close: server.close,
  };
}

async function projects(): Promise<OpenPlace> {
  const server = await gitlabState({ "gitlab-ci-token:open-sesame": "Maintainer" }).serve();
  let made = 0;
  return {
    async state() {
      made += 1;
      const address = `${server.url}/api/v4/projects/${made}/terraform/state/remit`;
      return { REMIT_STATE: address, CI_API_V4_URL: `${server.url}/api/v4`, CI_JOB_TOKEN: "open-sesame" };
    },
    takesOver: false,
    outwait: async () => undefined,
    close: server.close,
  };
}
