import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleCommand, type Command } from "../fakes/command.js";
import { wipedTrial } from "./kill/elsewhere.js";
import { PLACES } from "./kill/places.js";

const ENTRY = fileURLToPath(new URL("../fakes/hastyRemit.ts", import.meta.url));

/** Every run is a new machine: it has the manifests and the address of the state, and nothing of the run before. */
describe("applies that are killed, and whose disk is wiped each time", () => {
  let command: Command;
  beforeAll(async () => {
    command = await bundleCommand(ENTRY);
  }, 120_000);
  afterAll(() => command?.close());

  for (const { name, missing, open } of PLACES) {
    it.skipIf(missing !== null)(
      `come to what was wanted, with nothing made twice, with the state in ${name}`,
      async () => {
        const place = await open();
        try {
          const trial = { command, place, seed: 1, interface: "full", size: 20, kills: 4 } as const;
          const figures = await wipedTrial(trial);
          expect(figures.violations).toEqual([]);
          expect(figures.kills).toBeGreaterThan(0);
        } finally {
          await place.close();
        }
      },
      180_000,
    );
  }
});
