import { codeOf } from "../../cli/exitCode.js";
import { openKept } from "../../cli/open/store.js";
import type { Context } from "../../cli/run/context.js";
import { isServer, namelessState } from "../../cli/run/contextStore.js";
import { type Run, withState } from "../../cli/run/run.js";
import { nameWithoutContext, projectName } from "../../cli/settings/projectName.js";
import { publicServer } from "../../plan/server.js";
import { many } from "../../report/text/layout.js";
import { tame } from "../../report/text/visible.js";
import { type Renaming, renamed } from "../../state/belonging.js";
import { valuesKeptFor } from "../../state/encryption/store.js";
import { type MovingStore, moveState } from "../../state/move.js";
import { StateError } from "../../state/store.js";
import { say } from "../../words/say.js";
import { LOCK_TIMEOUT } from "./forget.js";
import { recordingOf } from "./recordingOf.js";
import type { MoveFlags } from "./usage.js";

/** Moves the state to another store, and marks the one where it was; or gives it to this project where it is. */
export async function move(this: Context, flags: MoveFlags, address?: string): Promise<number> {
  return withState(this.world, "state move", flags, async (run) => {
    const own = await projectName(run.world, run.project);
    const renaming = renamingOf(flags, own);
    if (address !== undefined) return moveTo(run, address, renaming, own);
    if (renaming !== null) return rename(run, renaming);
    if (own === null || run.project.contexts.current === null)
      throw new StateError(say("state/address#noPlace"));
    return giveToContext(run, own);
  });
}

function renamingOf({ fromProject }: MoveFlags, own: string | null): Renaming | null {
  if (fromProject === undefined) return null;
  if (own === null) throw new StateError(say("state/address#noName"));
  return { from: fromProject, to: own };
}

async function moveTo(
  run: Run,
  address: string,
  renaming: Renaming | null,
  own: string | null,
): Promise<number> {
  const { world, project, owner } = run;
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
    recordingOf(run, recordsIn(to)),
  );
  const count = Object.keys(moved.entries).length;
  const [old, place] = [tame(from.kept.name), tame(to.kept.name)];
  world.stdout.write(
    `Moved the state of ${many(count, "object")} from ${old} to ${place}, and read it back.\n` +
      `No run continues with ${old}. Name the new place in \`state:\` or REMIT_STATE.\n${belongs(renaming)}`,
  );
  return codeOf("done");
}

/** What a store that is not opened yet keeps of a run. */
function recordsIn({ kept, encryption }: MovingStore) {
  return { history: kept.history, valuesFor: valuesKeptFor(encryption) };
}

/** Gives the state that the project had without contexts to the context, where it is or by a move to the context's store. */
async function giveToContext(run: Run, own: string): Promise<number> {
  const { world, project, owner, store } = run;
  const former = await namelessState(world, project);
  const { snapshot } = former ?? (await store.read());
  if (snapshot === null) throw new StateError(noState(store.name));
  const name = await nameWithoutContext(world, project);
  if (snapshot.project !== undefined && snapshot.project !== name)
    throw new StateError(
      say("state/other-project#notNameless", { name: store.name, project: snapshot.project }),
    );
  const { server } = project.settings;
  if (!isServer(server.value, snapshot.server)) throw new StateError(ofOtherServer(project, snapshot.server));
  const renaming = { from: snapshot.project ?? "none", to: own };
  if (former === null) return rename(run, renaming);
  const from = await openKept(world, former.project);
  const to = await openKept(world, project);
  const { entries } = await moveState(
    from,
    to,
    owner,
    { timeout: LOCK_TIMEOUT },
    { as: "given", ...renaming },
    recordingOf(run, recordsIn(to)),
  );
  const count = Object.keys(entries).length;
  world.stdout.write(
    `Moved the state of ${many(count, "object")} from ${tame(from.kept.name)} to ${tame(to.kept.name)}, and read it back.\n${belongs(renaming)}`,
  );
  return codeOf("done");
}

/** Gives the state to this project; a run that was cut off stays unsettled in it. */
async function rename(run: Run, renaming: Renaming): Promise<number> {
  const { world, store, owner } = run;
  const lock = await store.lock(owner, { timeout: LOCK_TIMEOUT });
  try {
    const { snapshot } = await store.read();
    if (snapshot === null) throw new StateError(noState(store.name));
    const next = renamed(store.name, snapshot, renaming);
    const { snapshot: named, record } = recordingOf(run, store)({ ...next, serial: snapshot.serial + 1 });
    if (record !== null) void lock.append(record);
    await lock.save(named);
    world.stdout.write(belongs(renaming));
    return codeOf("done");
  } finally {
    await lock.release();
  }
}

function belongs(renaming: Renaming | null): string {
  return renaming === null ? "" : `The state belongs to the project ${tame(renaming.to)} now.\n`;
}

function ofOtherServer({ contexts, settings }: Run["project"], server: string) {
  const own = settings.server.value === null ? "no server" : publicServer(settings.server.value);
  return say("state/other-project#ofOtherServer", {
    server: publicServer(server),
    current: String(contexts.current),
    own,
  });
}

function noState(name: string) {
  return say("state/unknown#noState", { name });
}
