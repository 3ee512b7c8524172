import { mergeConfig } from "vitest/config";
import all from "./vitest.config.js";

const config = mergeConfig(all, {
  test: {
    // A pod starts within seconds, a schedule within a minute, and attempts are up to 40 seconds apart.
    testTimeout: 1_200_000,
    hookTimeout: 600_000,
    fileParallelism: false,
    globalSetup: ["test/fleet/stand/start.ts"],
  },
});

/** The tests of `npm run fleet`, on a control plane that go builds. They need root: pods get users of their own. */
export default { ...config, test: { ...config.test, include: ["test/fleet/*.fleet.ts"] } };
