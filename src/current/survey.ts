import type { Interface, Kind } from "../kinds/kind.js";
import type { Resource } from "../manifest/resource.js";
import { formatAddress } from "../model/address.js";
import { type Checked, type Diagnostic, hasErrors } from "../model/diagnostic.js";
import { formatKey } from "../model/key.js";
import type { Snapshot } from "../state/snapshot.js";
import { desire, parentOf, rememberedKeys } from "./desire.js";
import { type Directory, makeDirectory } from "./directory.js";
import type { Wanted } from "./reads.js";
import { type Remembered, rememberedOf } from "./remembered.js";
import { makeReader, type Remote } from "./remote.js";
import { resolve } from "./resolve.js";
import { sourceOf } from "./source.js";
import { unclear } from "./unclear.js";
import type { Current, Desired, Seen, Source } from "./world.js";

/** What a survey is made from. */
export interface Question {
  readonly resources: readonly Resource[];
  readonly kinds: readonly Kind[];
  readonly snapshot: Snapshot | null;
  /** Names of apps given in the project file. */
  readonly apps: Readonly<Record<string, string>>;
  readonly asked: Interface | "auto";
  /** Null asks nobody: everything is as recorded. */
  readonly remote: Remote | null;
  /** Those of the resources that a plan looks at: the others are not read. All of them when absent. */
  readonly choose?: (desired: readonly Desired[]) => readonly Desired[];
  /** Whether objects whose manifest is gone are read as well. */
  readonly orphans: boolean;
  readonly progress: (done: number) => void;
}

/** What is wanted, with ids for names, and what is there now. */
export interface Survey {
  readonly desired: readonly Desired[];
  readonly current: Current;
}

/**
 * Looks names up, then reads every object that a plan has to know: live where the service reads, recorded where not.
 * Where the service does not say anything at all, that is the one thing to tell.
 */
export async function survey(question: Question): Promise<Checked<Survey>> {
  const { kinds, remote, snapshot, asked } = question;
  const reader = remote === null ? null : makeReader(remote, question.progress);
  const on = asked === "core" ? "core" : "full";
  const memory = new Map(kinds.map((kind) => [kind, rememberedOf(kind, snapshot)]));
  const types = kindNamed(kinds, "ResourceType");
  const directory = makeDirectory(reader, question.apps, types, on, memory.get(types));
  const { desired, unresolved, diagnostics } = await desires(question, directory, memory);
  const chosen = question.choose?.(desired) ?? desired;
  const wanted = [
    ...wantedOf(chosen, unresolved, kinds),
    ...(question.orphans ? orphansOf(desired, snapshot, kinds) : []),
  ];

  const objects = new Map<string, Seen>(unresolved);
  const from: Record<string, Source> = {};
  // Half a plan would be shown as if it were all: an author's mistake ends it, and nothing need be read.
  const read = hasErrors(diagnostics) ? [] : kinds;
  const kindsRead = read.map(async (kind) => {
    const ofKind = wanted.filter((one) => one.kind === kind);
    const sourced = await sourceOf(kind, ofKind, { asked, reader, directory, snapshot });
    from[kind.name] = sourced.source;
    for (const [name, seen] of sourced.objects) objects.set(name, seen);
  });
  await Promise.all(kindsRead);

  const silence = reader?.silence() ?? null;
  const current = { from, objects, names: directory.names, calls: reader?.calls() ?? {} };
  return {
    value: {
      desired: desired.map((one) => placed(one, kindNamed(kinds, one.resource.address.kind), objects)),
      current,
    },
    diagnostics: silence === null ? diagnostics : [...diagnostics, unreadable(silence)],
  };
}

function unreadable(silence: Diagnostic): Diagnostic {
  return { ...silence, message: `the tenant could not be read: ${silence.message}` };
}

/** What is asked for by whom, and of whom names could not be looked up. */
interface Desires {
  readonly desired: readonly Desired[];
  readonly unresolved: ReadonlyMap<string, Seen>;
  readonly diagnostics: readonly Diagnostic[];
}

async function desires(
  question: Question,
  directory: Directory,
  memory: ReadonlyMap<Kind, Remembered>,
): Promise<Desires> {
  const { resources, kinds, snapshot, remote } = question;
  const keys = rememberedKeys(snapshot);
  const resolutions = await Promise.all(
    resources.map(async (resource) => {
      const kind = kindNamed(kinds, resource.address.kind);
      return { resource, kind, ...(await resolve(resource, kind.shape, directory)) };
    }),
  );
  const wishes = resolutions.map(({ resource, kind, spec, unseen: [doubt] }): Wish => {
    const desired = desire(resource, kind, spec, keys);
    if (doubt !== undefined) return { desired: { ...desired, key: null }, doubt };
    const isKnown = remote !== null || desired.key !== null;
    return isKnown ? { desired, doubt: null } : recall(desired, kind, memory.get(kind));
  });
  const unresolved = wishes.flatMap(({ desired: { resource }, doubt }) =>
    doubt === null ? [] : [[formatAddress(resource.address), { as: "unread", diagnostic: doubt }] as const],
  );
  return {
    desired: wishes.map(({ desired }) => desired),
    unresolved: new Map(unresolved),
    diagnostics: resolutions.flatMap(({ faults }) => faults),
  };
}

/** What one resource asks for, and why it is not clear what that is; null where it is. */
interface Wish {
  readonly desired: Desired;
  readonly doubt: Diagnostic | null;
}

/** Where nobody is asked, a resource without a key is the one object that the state remembers by its description. */
function recall(desired: Desired, kind: Kind, memory: Remembered | undefined): Wish {
  const { identity, fields } = desired;
  const keys = memory?.described({ ...identity, ...fields }, parentOf(kind, identity)) ?? [];
  const [key = null] = keys;
  return keys.length > 1
    ? { desired, doubt: unclear(kind, keys) }
    : { desired: { ...desired, key }, doubt: null };
}

function wantedOf(
  desired: readonly Desired[],
  unresolved: Desires["unresolved"],
  kinds: readonly Kind[],
): readonly Wanted[] {
  return desired
    .filter(({ resource }) => !unresolved.has(formatAddress(resource.address)))
    .map(({ resource, key, identity, fields }) => {
      const kind = kindNamed(kinds, resource.address.kind);
      const name = key === null ? formatAddress(resource.address) : formatKey(kind.name, key);
      return { kind, key, parent: parentOf(kind, identity), name, spec: { ...identity, ...fields } };
    });
}

function orphansOf(
  desired: readonly Desired[],
  snapshot: Snapshot | null,
  kinds: readonly Kind[],
): readonly Wanted[] {
  const held = new Set(
    desired.flatMap(({ resource, key }) => (key === null ? [] : formatKey(resource.address.kind, key))),
  );
  return Object.entries(snapshot?.entries ?? {}).flatMap(([name, { address, key }]) => {
    // A state may hold kinds of a version to come.
    const kind = kinds.find((one) => one.name === address.kind);
    if (kind === undefined || held.has(name)) return [];
    return [{ kind, key, parent: key.slice(0, -1), name, spec: null }];
  });
}

// The service chooses the key: an object that was found has one from now on, and one that has gone has none.
function placed(desired: Desired, kind: Kind, objects: Map<string, Seen>): Desired {
  const { identity, resource, key } = desired;
  if (kind.key(identity) !== null) return desired;
  const name = formatAddress(resource.address);
  const seen = objects.get(key === null ? name : formatKey(kind.name, key));
  if (seen?.as === "present") {
    objects.set(formatKey(kind.name, seen.key), seen);
    return { ...desired, key: seen.key };
  }
  if (seen?.as !== "absent") return desired;
  objects.set(name, seen);
  return { ...desired, key: null };
}

function kindNamed(kinds: readonly Kind[], name: string): Kind {
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`no kind ${name}`);
  return kind;
}
