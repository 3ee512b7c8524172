import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { main } from "../../src/bin/main.js";
import type { Output, World } from "../../src/cli/world/world.js";
import type { Clock } from "../../src/model/clock.js";
import { fakeClock } from "../fakes/clock.js";

/** Where the examples are. */
export const EXAMPLES = join(import.meta.dirname, "..", "..", "examples");

/** What is seen of one run from outside. */
export interface Seen {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A copy of an example in which commands are run one after another, as a person or a pipeline would. */
export interface Workplace {
  readonly folder: string;
  readonly remit: (...argv: readonly string[]) => Promise<Seen>;
  readonly close: () => void;
}

/** Copies an example to a folder of its own; its commands find those variables, and begin at that time. */
export function workplace(
  example: string,
  env: World["env"] = {},
  columns = 80,
  now = () => Date.UTC(2026, 0, 1),
): Workplace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "remit-example-")));
  // Only a build gives the examples schemas, and what a run says must not depend on it.
  cpSync(join(EXAMPLES, example), folder, { recursive: true, filter: (path) => !path.endsWith("/schemas") });
  let names = 0;
  return {
    folder,
    async remit(...argv) {
      const [stdout, stderr] = [listen(columns), listen(columns)];
      const code = await main(argv, {
        stdin: { isTerminal: false, bytes: async () => new Uint8Array(), line: async () => "" },
        stdout,
        stderr,
        env,
        cwd: folder,
        clock: patientClock(now()),
        random: () => 0.5,
        evaluate: (work) => ({ value: work(), milliseconds: 1 }),
        unique: () => `name-${++names}`,
        process: { pid: 4242, host: "testhost", arch: "linux-x64", node: "v20.19.0" },
        onSignal: () => () => undefined,
        leave: (left) => {
          throw new Error(`left with ${left}`);
        },
      });
      return { code, stdout: stdout.text(), stderr: stderr.text() };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A clock that jumps, and lets the disk go on meanwhile. */
function patientClock(start: number): Clock {
  const clock = fakeClock(start);
  return {
    ...clock,
    async sleep(milliseconds, signal) {
      await pause(1);
      await clock.sleep(milliseconds, signal);
    },
  };
}

function listen(columns: number): Output & { readonly text: () => string } {
  let heard = "";
  return {
    isTerminal: false,
    columns,
    rows: 24,
    write: (text) => {
      heard += text;
    },
    text: () => heard,
  };
}
