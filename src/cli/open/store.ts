import packageFile from "../../../package.json" with { type: "json" };
import { isEmptyVariable } from "../../model/variables.js";
import { readStateKeys, type StateKey } from "../../state/encryption/key.js";
import { type Encryption, withKeys } from "../../state/encryption/store.js";
import type { MovingStore } from "../../state/move.js";
import type { Kept } from "../../state/snapshot.js";
import { StateError, type Store } from "../../state/store.js";
import { readStateAddress, type StateAddress, type StoredState, shownAddress } from "../../state/stores.js";
import { say } from "../../words/say.js";
import { give, THIS_MACHINE } from "../credentials/give.js";
import type { Project } from "../settings/project.js";
import type { World } from "../world/world.js";
import { filePlace, listFolder, openFile } from "./folderStore.js";

/** What a store keeps, and the place in it that it keeps that at: copied to another place, it does not verify. */
interface PlacedStore extends Pick<Encryption, "place"> {
  readonly kept: Store<Kept>;
  /** Lists the states beside it; null where its server lists none. */
  readonly list: (() => Promise<readonly StoredState[]>) | null;
}

/** Opens the store that a project names. Throws a `StateError` for an address or a key that cannot be used. */
export async function openStore(world: World, project: Project): Promise<Store> {
  const { kept, encryption } = await openKept(world, project);
  return withKeys(kept, encryption);
}

/** The same before it is decrypted. */
export async function openKept(world: World, project: Project): Promise<MovingStore> {
  if (isEmptyVariable(project.env, "REMIT_STATE_KEY")) throw new StateError(say("state/key#emptyKey"));
  const keys = stateKeys(project);
  const { kept, place } = await openPlace(world, project);
  return {
    kept,
    encryption: { keys, place, version: packageFile.version, valuesFor: project.settings.history.value },
  };
}

/** The keys of the state: the first one encrypts. */
export function stateKeys({ env }: Pick<Project, "env">): readonly StateKey[] {
  const { value } = give(env, "REMIT_STATE_KEY", THIS_MACHINE);
  return value === null ? [] : readStateKeys(value);
}

/** The states of the repository, the bucket, the database or the folder that the project's state is in. */
export async function listStates(world: World, project: Project): Promise<readonly StoredState[]> {
  const { list } = await openPlace(world, project);
  if (list !== null) return list();
  throw new StateError(
    say("state/address#listStates", { value: shownAddress(project.settings.state.value) }),
  );
}

function openPlace(world: World, project: Project): Promise<PlacedStore> {
  const address = readStateAddress(project.settings.state.value);
  const row: Opening = OPENINGS[address.as];
  return row.open(world, project, address);
}

interface Opening<At = StateAddress> {
  open(world: World, project: Project, at: At): Promise<PlacedStore>;
}

/** A row for each kind of store; `state/stores.ts` has what its address says. What a store needs is loaded when it is used. */
const OPENINGS: {
  readonly [As in StateAddress["as"]]: Opening<Extract<StateAddress, { readonly as: As }>>;
} = {
  file: {
    open: async (world, project) => ({
      kept: await openFile(world, project),
      place: filePlace(project),
      list: () => listFolder(world, project),
    }),
  },
  git: {
    async open(world, project, at) {
      const { gitOptions } = await import("./gitStore.js");
      const { gitStore } = await import("../../state/git/store.js");
      const options = await gitOptions(world, project, at);
      const list = async () => (await import("../../state/git/list.js")).listGitStates(options);
      return { kept: gitStore(options), place: `git:${options.refs.state}`, list };
    },
  },
  s3: {
    async open(world, project, at) {
      const { bucketOptions } = await import("./bucketStore.js");
      const { listS3States, s3Store } = await import("../../state/s3/s3.js");
      const options = await bucketOptions(world, project, at);
      const list = () => listS3States(options);
      return { kept: s3Store(options), place: `s3:${at.bucket}/${at.key}`, list };
    },
  },
  postgres: {
    async open(world, project, at) {
      const { databaseOptions } = await import("./databaseStore.js");
      const { listPostgresStates, postgresStore } = await import("../../state/postgres/postgres.js");
      const options = await databaseOptions(world, project, at);
      const list = () => listPostgresStates(options);
      return {
        kept: postgresStore(options),
        place: `postgres:${at.database}/${at.state ?? "default"}`,
        list,
      };
    },
  },
  http: {
    async open(world, project, at) {
      const { openWebStore } = await import("./webStore.js");
      return { kept: await openWebStore(world, project, at), place: `http:${at.shown}`, list: null };
    },
  },
};
