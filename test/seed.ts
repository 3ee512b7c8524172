import fc from "fast-check";

/** Every run generates the same worlds, so that a test never fails by chance. `REMIT_TEST_SEED` asks for others. */
fc.configureGlobal({ seed: Number(process.env.REMIT_TEST_SEED ?? 20261122) });
