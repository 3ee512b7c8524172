import { existsSync, readFileSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** These start git hundreds of times, which costs a worker more the larger it has become. */
const FORKING = /\/test\/((state|manifest)\/git|workflows)\//;
const LONG = /\/test\/(journeys|package|pty|threats|docs\/(audit|questions|site)\.)/;
/** What steers a browser makes each promise of its worker slower from then on. */
const BROWSER = /\/browser\.test\.ts$/;
/** These take the other workers as long as the last browser takes. */
const SHORT = /\/test\/(author|bin|cli|diff|fakes|forge|impact|kinds|model|sandbox|words)\//;
/** `null` stands for every other file. */
const ORDER = [FORKING, LONG, null, BROWSER, SHORT];

/** Starts the longest files early, so that the run does not end with one of them on one core. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => {
      const at = ORDER.findIndex((pattern) => pattern?.test(moduleId));
      return at < 0 ? ORDER.indexOf(null) : at;
    };
    return sorted.sort((one, other) => place(one) - place(other));
  }
}

const MEMORY = "/dev/shm";
const MOUNTS = "/proc/mounts";
const ROOM = 1 << 30;

/** Where tests make their folders: in memory where that has room and runs programs, which saves a seventh of the time. */
function temporaryFolder(): { readonly TMPDIR?: string } {
  const mounts = existsSync(MOUNTS) ? readFileSync(MOUNTS, "utf8").split("\n") : [];
  const memory = mounts.find((line) => line.split(" ")[1] === MEMORY);
  if (memory === undefined || memory.includes("noexec")) return {};
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize < ROOM ? {} : { TMPDIR: MEMORY };
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/runFolder.ts"],
    setupFiles: ["test/seed.ts"],
    // Only what never ends is stopped: a busy machine may take many times as long as another.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    env: temporaryFolder(),
    // The files of a worker share their modules: loading them anew for each file takes as long as the tests.
    isolate: false,
    // A transformed source is kept in node_modules until it changes: a run of one file transforms a few hundred others.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    // Tests wait for processes and servers: twice as many workers as cores keep the cores busy.
    maxWorkers: availableParallelism() * 2,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["text-summary", "json-summary"],
    },
  },
});
