import fc from "fast-check";
import { cases } from "./fakes/cases.js";

/**
 * Every run generates the same worlds, so that a test never fails by chance. `REMIT_TEST_SEED` asks for others, and
 * `REMIT_TEST_SCALE` for so many times as many.
 */
fc.configureGlobal({ seed: Number(process.env.REMIT_TEST_SEED ?? 20261122), numRuns: cases(25, 40) });
