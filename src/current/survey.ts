import type { Interface, Kind } from "../kinds/kind.js";
import type { Resource } from "../manifest/resource.js";
import { formatAddress } from "../model/address.js";
import type { Checked, Diagnostic } from "../model/diagnostic.js";
import { formatKey } from "../model/key.js";
import type { Snapshot } from "../state/snapshot.js";
import { desire, parentOf, rememberedKeys } from "./desire.js";
import { type Directory, makeDirectory } from "./directory.js";
import { readLive } from "./live.js";
import type { Wanted } from "./reads.js";
import { recorded } from "./recorded.js";
import { makeReader, type Reader, type Remote } from "./remote.js";
import { resolve } from "./resolve.js";
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
  /** Whether objects whose manifest is gone are read as well. */
  readonly orphans: boolean;
  readonly progress: (done: number) => void;
}

/** What is wanted, with ids for names, and what is there now. */
export interface Survey {
  readonly desired: readonly Desired[];
  readonly current: Current;
}

/** Looks names up, then reads every object that a plan has to know: live where the service reads, recorded where not. */
export async function survey(question: Question): Promise<Checked<Survey>> {
  const { kinds, remote, snapshot } = question;
  const reader = remote === null ? null : makeReader(remote, question.progress);
  const directory = makeDirectory(reader, question.apps, kindNamed(kinds, "ResourceType"));
  const { desired, unresolved, diagnostics } = await desires(question, directory);
  const hidden = new Set(unresolved.map(([name]) => name));
  const readable = desired.filter(({ resource }) => !hidden.has(formatAddress(resource.address)));
  const wanted = [
    ...wantedOf(readable, kinds),
    ...(question.orphans ? orphansOf(desired, snapshot, kinds) : []),
  ];

  const objects = new Map<string, Seen>(unresolved);
  const from: Record<string, Source> = {};
  const kindsRead = kinds.map(async (kind) => {
    const ofKind = wanted.filter((one) => one.kind === kind);
    const live = await liveFor(kind, ofKind, question.asked, reader, directory);
    from[kind.name] = live.source;
    for (const [name, seen] of live.objects ?? recorded(ofKind, snapshot)) objects.set(name, seen);
  });
  await Promise.all(kindsRead);

  const current = { from, objects, names: directory.names, calls: reader?.calls ?? {} };
  return {
    value: {
      desired: desired.map((one) => placed(one, kindNamed(kinds, one.resource.address.kind), objects)),
      current,
    },
    diagnostics,
  };
}

async function desires({ resources, kinds, snapshot }: Question, directory: Directory) {
  const keys = rememberedKeys(snapshot);
  const diagnostics: Diagnostic[] = [];
  const unresolved: [string, Seen][] = [];
  const desired: Desired[] = [];
  const resolutions = resources.map((resource) =>
    resolve(resource, kindNamed(kinds, resource.address.kind).shape, directory),
  );
  for (const [index, resource] of resources.entries()) {
    const resolved = await resolutions[index];
    if (resolved === undefined) continue;
    diagnostics.push(...resolved.faults);
    const wish = desire(resource, kindNamed(kinds, resource.address.kind), resolved.spec, keys);
    const [first] = resolved.unseen;
    if (first !== undefined)
      unresolved.push([formatAddress(resource.address), { as: "unread", diagnostic: first }]);
    desired.push(first === undefined ? wish : { ...wish, key: null });
  }
  return { desired, unresolved, diagnostics };
}

function wantedOf(desired: readonly Desired[], kinds: readonly Kind[]): readonly Wanted[] {
  return desired.map(({ resource, key, identity, fields }) => {
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
  return Object.entries(snapshot?.entries ?? {})
    .filter(([name]) => !held.has(name))
    .map(([name, { address, key }]) => ({
      kind: kindNamed(kinds, address.kind),
      key,
      parent: key.slice(0, -1),
      name,
      spec: null,
    }));
}

async function liveFor(
  kind: Kind,
  wanted: readonly Wanted[],
  asked: Question["asked"],
  reader: Reader | null,
  directory: Directory,
): Promise<{ readonly source: Source; readonly objects: ReadonlyMap<string, Seen> | null }> {
  const asRecorded = (on: Interface, why: string | null) => ({
    source: { interface: on, source: "recorded", why } as const,
    objects: null,
  });
  if (asked === "core") return asRecorded("core", null);
  if (reader === null) return asRecorded("full", "offline");
  const live = await readLive(kind, wanted, reader, directory);
  if (live.offered)
    return { source: { interface: "full", source: "live", why: null }, objects: live.objects };
  if (asked === "auto") return asRecorded("core", live.why);
  const diagnostic = {
    code: "service/not-offered",
    severity: "error",
    message: `${kind.noun.many} cannot be read: ${live.why}`,
    hint: "`interface: full` was asked for. With `auto` or `core`, what was recorded stands in.",
  } as const;
  return {
    source: { interface: "full", source: "live", why: live.why },
    objects: new Map(wanted.map(({ name }) => [name, { as: "unread", diagnostic }])),
  };
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
