import { StateError } from "../store.js";
import type { StoredState } from "../stored.js";
import { lockRefOf } from "./address.js";
import { type Files, HEAD_FILE, headIn } from "./document.js";
import { LOCK_FILE, lockIn } from "./held.js";
import type { RepositoryOptions } from "./repository.js";
import { readTips } from "./tips.js";

/** The states below `refs/remit/` of a repository. A ref is one only by its content, whatever it is called. */
export async function listGitStates(options: RepositoryOptions): Promise<readonly StoredState[]> {
  const own = options.refs.state;
  const tips = await readTips(options, [`${FOLDER}*`, own, lockRefOf(own)], [HEAD_FILE, LOCK_FILE]);
  const names = [...tips.keys()].filter((ref) => ref.startsWith(FOLDER));
  return [...(names.includes(own) ? [] : [own]), ...names].flatMap((ref) => {
    try {
      return stateAt(options, ref, tips);
    } catch (error) {
      if (isForeign(error)) return [];
      throw error;
    }
  });
}

const FOLDER = "refs/remit/";

function stateAt(
  { name, url }: RepositoryOptions,
  ref: string,
  tips: ReadonlyMap<string, Files>,
): readonly StoredState[] {
  const found = tips.get(ref);
  if (found === undefined) return [];
  const { snapshot } = headIn(found, name, ref);
  const short = ref.startsWith(FOLDER) ? ref.slice(FOLDER.length) : ref;
  const lock = tips.get(lockRefOf(ref));
  return [
    {
      address: `git:${url}#${short}`,
      project: snapshot?.project ?? null,
      serial: snapshot?.serial ?? null,
      held: heldBy(lock),
    },
  ];
}

/** Who holds a lock by its commit. Something else that has its name is in the way, too. */
function heldBy(lock: Files | undefined): StoredState["held"] {
  const held = lock === undefined ? null : lockIn(lock);
  return lock === undefined || held?.lock === null ? null : { by: held?.lock.owner ?? null };
}

function isForeign(error: unknown): boolean {
  return error instanceof StateError && error.diagnostic.code === "state/damaged";
}
