import { randomUUID } from "node:crypto";
import { link, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, unwritable } from "../../src/state/fault.js";
import type { Objects, StoreTraits } from "../../src/state/objects.js";
import { PROMPT } from "../../src/state/store.js";

/**
 * A driver that a new store's author can begin with: a state in a folder, whose objects are folders, and whose versions
 * are files with numbers. A file is linked to its number whole and exclusively: of two runs that want one number, one
 * gets it. A real driver gets the same from `If-Match`, or from the version of a row.
 */
export function folderObjects(root: string): Objects {
  const placeOf = (name: string) => join(root, encodeURIComponent(`=${name}`));

  async function newest(name: string): Promise<number> {
    const versions = await readdir(placeOf(name)).catch(() => []);
    return Math.max(0, ...versions.map(Number).filter((number) => number > 0));
  }

  async function swap(name: string, tag: string | null, text: string): Promise<string | null> {
    const next = Number(tag ?? 0) + 1;
    const draft = join(root, `${randomUUID()}.draft`);
    try {
      await mkdir(placeOf(name), { recursive: true });
      await writeFile(draft, text);
      await link(draft, join(placeOf(name), String(next)));
      return String(next);
    } catch (error) {
      if (codeOf(error) === "EEXIST") return null;
      throw unwritable(root, error);
    } finally {
      await rm(draft, { force: true });
    }
  }

  return {
    async get(name) {
      const tag = String(await newest(name));
      const text = await readFile(join(placeOf(name), tag), "utf8").catch(() => null);
      return text === null ? null : { text, tag };
    },
    swap,
    put: async (name, text) => void (await swap(name, null, text)),
    async drop(names) {
      for (const name of names) await rm(placeOf(name), { recursive: true, force: true });
    },
  };
}

/** What a store in a folder is like. */
export const FOLDER = {
  name: "the folder",
  version: "0.1.0",
  rhythm: PROMPT,
  openTo: "everyone who may write to the folder",
  keepsHistory: true,
  lease: 30_000,
  beat: 5_000,
  requestTimeout: 30_000,
  poll: 1_000,
  pace: 0,
  linger: null,
  place: "the folder",
  conditions: { create: "that a file exists", replace: "that a newer file exists" },
} satisfies Omit<StoreTraits, "clock">;
