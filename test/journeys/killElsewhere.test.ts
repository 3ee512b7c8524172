import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, it } from "vitest";
import { cases } from "../fakes/cases.js";
import { bundleCommand, type Command } from "../fakes/command.js";
import { commandTrial } from "./kill/commandTrial.js";
import { wipedTrial } from "./kill/elsewhere.js";
import { FILE, PLACES } from "./kill/places.js";

const ENTRY = fileURLToPath(new URL("../fakes/hastyRemit.ts", import.meta.url));
/**
 * So many runs are killed over each store, in worlds of the two interfaces by turns. The stores begin with one and the
 * other by turns, too. `node scripts/soakStores.mjs` kills a thousand, and commands with `--commands`.
 */
const KILLS = cases(1);
/** So many commands are killed. */
const COMMANDS = 2;
/** A run may be done before it is killed; never in so many worlds. */
const WORLDS = 20;

/**
 * Every run is a new machine: it has the manifests and the address of the state, and nothing of the run before. The
 * stores go on side by side: most of the time, runs wait for the lock of a dead one.
 */
describe.concurrent("applies that are killed, and whose disk is wiped each time", () => {
  let command: Command;
  beforeAll(async () => {
    command = await bundleCommand(ENTRY);
  }, 120_000);
  afterAll(() => command?.close());

  const worlds = [
    ...PLACES.map((place) => ({ ...place, isOfGroups: false })),
    // The ids of groups are chosen by the service, so what a killed run created is found by its name.
    { ...FILE, name: "a file, of groups", isOfGroups: true },
  ];
  for (const [turn, { name, missing, open, isOfGroups }] of worlds.entries()) {
    it.skipIf(missing !== null)(
      `come to what was wanted, with nothing made twice, with the state in ${name}`,
      async ({ expect }) => {
        const place = await open();
        try {
          let killed = 0;
          for (let seed = 1; killed < KILLS && seed <= WORLDS; seed += 1) {
            const spoken = isOfGroups || (turn + seed) % 2 === 1 ? "full" : "core";
            const world = { interface: spoken, size: isOfGroups ? 4 : 12, kills: 1, isOfGroups } as const;
            const figures = await wipedTrial({ command, place, seed, ...world });
            expect(figures.violations).toEqual([]);
            killed += figures.kills;
          }
          expect(killed).toBe(KILLS);
        } finally {
          await place.close();
        }
      },
      400_000,
    );
  }

  it("have one record each in the history, and so have commands that change the state", async ({
    expect,
  }) => {
    const place = await FILE.open();
    try {
      const world = { seed: 2, kills: COMMANDS, isEncrypted: true, dealings: new Map() };
      const { kills, records, violations } = await commandTrial({ command, place, ...world });
      expect(violations).toEqual([]);
      expect(Object.values(kills).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
      expect(records).toBeGreaterThan(1);
    } finally {
      await place.close();
    }
  }, 120_000);
});
