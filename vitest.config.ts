import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const LONG = /\/test\/(journeys|pty)\//;

/** Starts the longest files first, so that the run does not end with one of them on one core. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The files of a worker share their modules: loading them anew for each file takes as long as the tests.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Many tests wait for a process or a server, so both cores of a small machine have work.
    maxWorkers: "100%",
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["text-summary", "json-summary"],
    },
  },
});
