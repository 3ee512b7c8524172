import { tame } from "../../../entry/messages.js";
import { moveState, type Renaming, renamed, StateError } from "../../../entry/stores.js";
import { codeOf } from "../../exitCode.js";
import { openKept } from "../../open/store.js";
import type { Context } from "../../run/context.js";
import { type Run, withRun } from "../../run/run.js";
import { projectName } from "../../settings/projectName.js";
import { LOCK_TIMEOUT } from "./forget.js";
import type { StateFlags } from "./state.js";

/** The flags of `remit state move`. */
export interface MoveFlags extends StateFlags {
  /** The project that the state belongs to; `none` for a state that names none. */
  readonly fromProject?: string;
}

/** Moves the state to another store, and marks the one where it was; or gives it to this project where it is. */
export async function move(this: Context, flags: MoveFlags, address?: string): Promise<void> {
  const opening = { command: "state move", flags, tenant: false };
  this.process.exitCode = await withRun(this.world, opening, async (run) => {
    const own = await projectName(run.world, run.project);
    const renaming = renamingOf(flags, own);
    if (address !== undefined) return moveTo(run, address, renaming, own);
    if (renaming === null) throw new StateError(NO_PLACE);
    return rename(run, renaming);
  });
}

function renamingOf({ fromProject }: MoveFlags, own: string | null): Renaming | null {
  if (fromProject === undefined) return null;
  if (own === null) throw new StateError(NO_NAME);
  return { from: fromProject, to: own };
}

async function moveTo(
  { world, project, owner }: Run,
  address: string,
  renaming: Renaming | null,
  own: string | null,
): Promise<number> {
  const { settings } = project;
  const state = { value: address, from: "the command line", by: "operator" } as const;
  const from = await openKept(world, project);
  const to = await openKept(world, { ...project, settings: { ...settings, state } });
  const moved = await moveState(
    from,
    to,
    owner,
    { timeout: LOCK_TIMEOUT },
    renaming === null ? { as: "own", project: own } : { as: "given", ...renaming },
  );
  const count = Object.keys(moved.entries).length;
  const [old, place] = [tame(from.kept.name), tame(to.kept.name)];
  world.stdout.write(
    `Moved the state of ${count} ${count === 1 ? "object" : "objects"} from ${old} to ${place}, and read it back.\n` +
      `No run continues with ${old}. Name the new place in \`state:\` or REMIT_STATE.\n${belongs(renaming)}`,
  );
  return codeOf("done");
}

/** Gives the state to this project; a run that was cut off stays unsettled in it. */
async function rename({ world, store, owner }: Run, renaming: Renaming): Promise<number> {
  const lock = await store.lock(owner, { timeout: LOCK_TIMEOUT });
  try {
    const { snapshot } = await store.read();
    if (snapshot === null) throw new StateError(noState(store.name));
    const next = renamed(store.name, snapshot, renaming);
    await lock.save({ ...next, serial: snapshot.serial + 1 });
    world.stdout.write(belongs(renaming));
    return codeOf("done");
  } finally {
    await lock.release();
  }
}

function belongs(renaming: Renaming | null): string {
  return renaming === null ? "" : `The state belongs to the project ${tame(renaming.to)} now.\n`;
}

const NO_PLACE = {
  code: "state/address",
  severity: "error",
  message: "no place is named that the state moves to",
  hint: "Name a path or an address: `remit state move s3://my-bucket/remit/prod`. To give the state to this project where it is, add --from-project.",
} as const;

const NO_NAME = {
  code: "state/address",
  severity: "error",
  message: "this project has no name that the state could take",
  hint: "Write `project: NAME` in remit.yaml.",
} as const;

function noState(name: string) {
  return {
    code: "state/unknown",
    severity: "error",
    message: `no state exists at ${name}`,
    hint: "Name the store that has it in --state.",
  } as const;
}
