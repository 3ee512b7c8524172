import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { bundleCommand, type Command } from "../fakes/command.js";
import { gitlabState } from "../fakes/gitlabState.js";
import { hastyClock, runInside } from "../fakes/inside.js";
import { makeMany } from "../fakes/many.js";
import { makeProject } from "../fakes/project.js";
import { missingS3, type S3Server, startS3 } from "../fakes/s3.js";
import { auditCreates, auditTenant } from "./kill/audit.js";

const APPLY = ["apply", "--yes"];

/** Where a state is kept, as every new runner gets it. */
interface Place {
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

const PLACES = [
  {
    name: "a bucket",
    missing: missingS3(),
    size: 20,
    /** The writes after which the runs are killed, one after the other. */
    kills: [1, 3, 2],
    haste: 1,
    async open(): Promise<Place> {
      const server: S3Server = await startS3();
      const env = {
        REMIT_STATE: `s3://${await server.bucket()}/remit/state?region=eu-central-1`,
        AWS_ENDPOINT_URL_S3: server.url,
        AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
        AWS_SECRET_ACCESS_KEY: "open-sesame",
      };
      return { env, close: () => server.close() };
    },
  },
  {
    name: "a state of GitLab (substitute)",
    missing: null,
    size: 30,
    kills: [4],
    /** A create that a dead run began is waited for half a minute: 3 s of this machine. A reply takes at most 60 ms. */
    haste: 10,
    async open(): Promise<Place> {
      const server = await gitlabState({ "gitlab-ci-token:open-sesame": "Maintainer" }).serve();
      const env = {
        REMIT_STATE: `${server.url}/api/v4/projects/7/terraform/state/remit`,
        CI_API_V4_URL: `${server.url}/api/v4`,
        CI_JOB_TOKEN: "open-sesame",
        CI_JOB_URL: "https://gitlab.example.com/acme/access/-/jobs/4711",
      };
      return { env, close: () => server.close() };
    },
  },
];

/** Every run is a new runner: it has the manifests and the address of the state, and nothing of the run before. */
describe.each(PLACES)(
  "runners that die in mid-apply, with the state in $name",
  ({ missing, size, kills, haste, open }) => {
    let command: Command;
    let sandbox: Sandbox;
    let place: Place;
    const many = makeMany(size, "full");
    let heard = (): void => undefined;
    beforeAll(async () => {
      if (missing !== null) return;
      [command, place] = await Promise.all([bundleCommand(), open()]);
      sandbox = await startSandbox({
        interface: "full",
        tenant: many.tenant,
        faults: { seed: 1, rules: [{ fault: "latency", method: "POST", between: [20, 60] }] },
        seed: 1,
        log: ({ written }) => {
          if (written) heard();
        },
      });
    });
    afterAll(async () => {
      command?.close();
      await sandbox?.close();
      await place?.close();
    });

    async function onNewRunner<T>(
      work: (surroundings: { cwd: string; env: Record<string, string> }) => Promise<T>,
    ): Promise<T> {
      const project = makeProject({ guards: { maxChangesPercent: 100 } });
      project.write(many.wanted(1));
      const tenant = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token, REMIT_REQUEST_TIMEOUT: "1s" };
      try {
        return await work({ cwd: project.cwd, env: { ...tenant, REMIT_CONCURRENCY: "3", ...place.env } });
      } finally {
        project.close();
      }
    }
    const said: string[] = [];
    async function runs(...argv: string[]) {
      const { code, stdout, stderr } = await onNewRunner((surroundings) =>
        runInside(argv, { ...surroundings, clock: hastyClock(haste) }),
      );
      said.push(`$ remit ${argv.join(" ")}\n${stdout}${stderr}exit ${code}\n`);
      return { code, printed: `${stdout}${stderr}`.replace(/\s+/g, " ") };
    }

    it.skipIf(missing !== null)(
      "are followed by one that finishes, with nothing lost and nothing made twice",
      async () => {
        for (const writes of kills) {
          const { code, signal, stdout, stderr } = await onNewRunner((surroundings) => {
            const running = command.start(APPLY, surroundings);
            let seen = 0;
            heard = () => {
              seen += 1;
              if (seen === writes) running.process.kill("SIGKILL");
            };
            return running.ended;
          });
          heard = () => undefined;
          said.push(`$ remit ${APPLY.join(" ")}\n${stdout}${stderr}killed\n`);
          expect(signal, `${code}\n${stdout}${stderr}`).toBe("SIGKILL");

          const plan = await runs("plan");
          expect(plan.printed).toContain("is being changed by remit apply");
          const locked = await runs("apply", "--yes", "--lock-timeout", "0");
          expect(locked.code).toBe(4);
          expect(locked.printed).toMatch(/is locked by remit apply \(process \d+ on /);
          const unlocked = await runs("state", "unlock");
          expect(unlocked.printed).toContain("removed the lock of remit apply");
        }
        const last = await runs(...APPLY);
        expect(last.code, last.printed).toBe(0);
        const plan = await runs("plan", "--detailed-exitcode");
        expect(plan.code, plan.printed).toBe(0);
        expect([...auditTenant(many.wanted(1), sandbox), ...auditCreates(sandbox)]).toEqual([]);
        const transcript = said.join("\n");
        expect(transcript).not.toContain("open-sesame");
        if (process.env.TRANSCRIPT !== undefined)
          writeFileSync(`${process.env.TRANSCRIPT}.${size}.txt`, transcript);
      },
      180_000,
    );
  },
);
