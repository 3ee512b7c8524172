import { isMoved, type Kept } from "../snapshot.js";
import { StateError } from "../store.js";
import type { StoredState } from "../stored.js";
import { lockRefOf } from "./address.js";
import { readStateFiles, snapshotIn } from "./document.js";
import { openRepository, type Repository, type RepositoryOptions } from "./repository.js";
import { heldAt } from "./take.js";

/** The states below `refs/remit/` of a repository. A ref is one only by its content, whatever it is called. */
export async function listGitStates(options: RepositoryOptions): Promise<readonly StoredState[]> {
  const names = await using(options, (repository) => repository.names(FOLDER));
  const own = names.includes(options.refs.state) ? [] : [options.refs.state];
  const states: StoredState[] = [];
  for (const ref of [...own, ...names]) {
    const at = { ...options, refs: { state: ref, lock: lockRefOf(ref) } };
    const state = await using(at, (repository) => stateAt(at, repository)).catch((error) => {
      if (isForeign(error)) return null;
      throw error;
    });
    if (state !== null) states.push(state);
  }
  return states;
}

const FOLDER = "refs/remit/";

async function using<T>(
  options: RepositoryOptions,
  work: (repository: Repository) => Promise<T>,
): Promise<T> {
  const repository = await openRepository(options);
  try {
    return await work(repository);
  } finally {
    await repository.close();
  }
}

async function stateAt(
  { name, url, refs }: RepositoryOptions,
  repository: Repository,
): Promise<StoredState | null> {
  const { state, lock } = await repository.bring();
  if (state === null) return null;
  const files = readStateFiles(await repository.files(state), name, refs.state);
  const kept = snapshotIn(files, name);
  const short = refs.state.startsWith(FOLDER) ? refs.state.slice(FOLDER.length) : refs.state;
  return {
    address: `git:${url}#${short}`,
    project: kept === null ? null : projectOf(kept),
    serial: kept?.serial ?? null,
    held: await heldAt(repository, lock),
  };
}

function projectOf(kept: Kept): string | null {
  if (isMoved(kept)) return null;
  return kept.project ?? null;
}

function isForeign(error: unknown): boolean {
  return error instanceof StateError && error.diagnostic.code === "state/damaged";
}
