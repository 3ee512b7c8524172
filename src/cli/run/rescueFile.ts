import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isWithin } from "../../entry/documents.js";
import type { RescuePlace } from "../../entry/session.js";
import { PRIVATE, placeFile, sealRescue } from "../../entry/stores.js";
import { stateFolder } from "../../entry/values.js";
import { stateKeys } from "../open/store.js";
import type { Project } from "../settings/project.js";
import type { World } from "../world/world.js";

/** A file for answers that the store does not take. */
export interface RescueFile extends RescuePlace {
  /** Its path while it is there; null where it is not. */
  readonly path: () => string | null;
}

/** A place of this user alone, outside the project. */
export function rescueFile(world: World, { root, env }: Project, run: string): RescueFile {
  const name = `rescue-${run.replace(/[^\w-]/g, "")}.json`;
  const keys = stateKeys({ env });
  const own = stateFolder(world.env);
  const folders = [...(own === null ? [] : [join(own, "rescue")]), join(tmpdir(), `remit-rescue-${name}`)];
  const outside = folders.filter((folder) => !isWithin(root, folder));
  let path: string | null = null;

  return {
    path: () => path,
    async keep(text) {
      const sealed = sealRescue(text, keys);
      let fault: unknown = new Error("no folder is outside of the project");
      for (const folder of outside) {
        try {
          const file = join(folder, name);
          await mkdir(folder, { recursive: true, mode: 0o700 });
          await placeFile(file, [sealed], { mode: PRIVATE, owner: null });
          path = file;
          return file;
        } catch (error) {
          fault = error;
        }
      }
      throw fault;
    },
    async drop() {
      if (path !== null) await rm(path, { force: true });
      path = null;
    },
  };
}
