import { type AskedInterface, isSureOfReads } from "../kinds/interface.js";
import type { Kind } from "../kinds/kind.js";
import { listOfApps } from "../kinds/referable.js";
import { formatCallPath } from "../model/call.js";
import { formatKey, type Key } from "../model/key.js";
import { say } from "../words/say.js";
import type { Failed, Fetched } from "./fetched.js";
import { type KindAnswer, type KindRead, kindReadsFor } from "./kindReads.js";
import type { Seen } from "./known.js";
import { type Directory, existsByList } from "./names/directory.js";
import type { Reader } from "./reader.js";
import type { Wanted } from "./reads.js";

/** What the service showed of one kind, or that it does not offer to show it. */
export type Live =
  | { readonly offered: true; readonly objects: ReadonlyMap<string, Seen> }
  | { readonly offered: false; readonly why: string };

/** What reading needs beside the wanted objects. */
export interface LiveSources {
  readonly asked: AskedInterface;
  readonly reader: Reader;
  readonly directory: Directory;
  /** Whether the state says that remit ever read this server. */
  readonly wasRead: boolean;
  /** Whether a list's word that an object does not exist is enough: nothing remembers the object. */
  readonly isUnknown: (wanted: Wanted) => boolean;
}

/** What was read, kind by kind, and the failures that end the run. */
interface LiveResult {
  readonly kinds: ReadonlyMap<Kind, Live>;
  readonly failures: readonly Failed[];
}

interface ReadsOfKind {
  readonly kind: Kind;
  readonly spared: readonly Wanted[];
  readonly reads: readonly KindRead[];
}

/** Reads that are left, and the objects that need none because a search shows that they do not exist. */
interface AbsentBySearch {
  readonly reads: readonly KindRead[];
  readonly absent: readonly Wanted[];
}

/** A search takes a reply that the reads behind it wait for, so it has to make more than a few of them needless. */
const FEWEST = 5;

/**
 * Reads every wanted object of some kinds. The first read of each kind and one list of apps go first, all at once, to
 * find the interface; searches that make other reads needless go with them. A failure of the first reads ends the run,
 * and so does that of any list.
 */
export async function readLive(
  wanted: ReadonlyMap<Kind, readonly Wanted[]>,
  sources: LiveSources,
): Promise<LiveResult> {
  const { reader, directory, wasRead } = sources;
  const isUnsure = (kind: Kind) => !isSureOfReads(sources.asked, kind.name, wasRead);
  const isNeeded = [...wanted].some(([kind, ofKind]) => isUnsure(kind) && ofKind.length > 0);
  const probing = isNeeded ? directory.probeApps() : null;
  const first = [...wanted].map(([kind, ofKind]) => split(kind, ofKind, sources));
  const spared = new Map(first.map((one) => [one, spareRest(one, sources)]));
  const rest = (one: ReadsOfKind) => restOf(spared.get(one) ?? spareRest(one, sources));
  // Nothing depends on the first read of a kind that can be read for sure.
  const sure = first.filter(({ kind }) => !isUnsure(kind));
  const early = new Map(sure.map((one) => [one.kind, rest(one)]));
  // A run that is stopped waits for none of them.
  void Promise.allSettled([...spared.values(), ...early.values()]);
  const answers = await openingsOf(first, isUnsure);
  const apps = await probing;

  // Where no list of apps shows that the server has reads, a row of another list proves nothing about a kind.
  const isProven = (kind: Kind) => !isUnsure(kind) || apps?.as === "got";
  const all = first.map((one) => (isProven(one.kind) ? one : unspared(one, reader, directory)));
  const late = all.filter(({ kind, reads }) => reads.length > 0 && !answers.has(kind));
  for (const [kind, answer] of await openingsOf(late, isUnsure)) answers.set(kind, answer);

  const probes: Probes = { openings: fetchedBy(answers, all), apps, wasRead };
  const offers = new Map(all.map(({ kind }) => [kind, offerOf(kind, sources.asked, probes)]));
  const undecided = [...offers.values()].flatMap((offer) => (offer.as === "failed" ? [offer] : []));
  if (undecided.length > 0) {
    await Promise.all(early.values());
    return { kinds: new Map(), failures: undecided };
  }
  return readRest(all, offers, answers, (one) => early.get(one.kind) ?? rest(one));
}

/** What the reads of a kind showed that are not its first one. */
interface Rest {
  readonly absent: readonly Wanted[];
  readonly answers: readonly KindAnswer[];
}

function spareRest(
  { kind, reads }: ReadsOfKind,
  { reader, isUnknown }: LiveSources,
): Promise<AbsentBySearch> {
  const split = { reads: reads.slice(1), beside: reads.slice(0, 1) };
  return absentBySearch(kind, split, reader, isUnknown);
}

async function restOf(spared: Promise<AbsentBySearch>): Promise<Rest> {
  const { absent, reads } = await spared;
  return { absent, answers: await Promise.all(reads.map(({ ask }) => ask("required"))) };
}

/** Reads what the first reads have not shown. */
async function readRest(
  all: readonly ReadsOfKind[],
  offers: ReadonlyMap<Kind, Offer>,
  answers: ReadonlyMap<Kind, KindAnswer>,
  rest: (one: ReadsOfKind) => Promise<Rest>,
): Promise<LiveResult> {
  const failures: Failed[] = [];
  const kinds = await Promise.all(
    all.map(async (one): Promise<readonly [Kind, Live]> => {
      const { kind, spared } = one;
      const offer = offers.get(kind);
      if (offer?.as === "not offered") return [kind, { offered: false, why: offer.why }];
      const opening = answers.get(kind);
      const others = await rest(one);
      const every = opening === undefined ? others.answers : [opening, ...others.answers];
      failures.push(...every.flatMap(failureOfList));
      const absent = [...spared, ...others.absent].map(({ name }): readonly [string, Seen] => [
        name,
        { as: "absent" },
      ]);
      return [kind, { offered: true, objects: new Map([...absent, ...every.flatMap(({ seen }) => seen)]) }];
    }),
  );
  return { kinds: new Map(kinds), failures };
}

function failureOfList({ of, fetched, seen: [first] }: KindAnswer): readonly Failed[] {
  if (of !== "list") return [];
  if (fetched.as === "failed") return [fetched];
  if (fetched.as !== "not offered" || first?.[1].as !== "unread") return [];
  return [{ as: "failed", trouble: "refused", why: fetched.why, diagnostic: first[1].diagnostic }];
}

async function openingsOf(
  all: readonly ReadsOfKind[],
  isUnsure: (kind: Kind) => boolean,
): Promise<Map<Kind, KindAnswer>> {
  const asked = all.map(async ({ kind, reads: [first] }) => {
    if (first === undefined) return [];
    return [[kind, await first.ask(isUnsure(kind) ? "probe" : "required")] as const];
  });
  return new Map((await Promise.all(asked)).flat());
}

function fetchedBy(answers: ReadonlyMap<Kind, KindAnswer>, all: readonly ReadsOfKind[]): Probes["openings"] {
  return new Map(
    all.map(({ kind }): readonly [Kind, Fetched<unknown> | null] => [
      kind,
      answers.get(kind)?.fetched ?? null,
    ]),
  );
}

// A list that was already read may show that an object does not exist. Then no read is needed.
function split(kind: Kind, wanted: readonly Wanted[], sources: LiveSources): ReadsOfKind {
  const { reader, directory, isUnknown } = sources;
  const isAbsent = (one: Wanted) => existsByList(kind, one.key, directory) === false && isUnknown(one);
  const spared = wanted.filter(isAbsent);
  const asked = wanted.filter((one) => !isAbsent(one));
  return { kind, spared, reads: kindReadsFor(kind, asked, reader, directory) };
}

function unspared(one: ReadsOfKind, reader: Reader, directory: Directory): ReadsOfKind {
  if (one.spared.length === 0) return one;
  const { kind, spared, reads } = one;
  return { kind, spared: [], reads: [...reads, ...kindReadsFor(kind, spared, reader, directory)] };
}

/** Whether the service offers to read the objects of a kind. */
type Offer =
  | { readonly as: "offered" }
  | { readonly as: "not offered"; readonly why: string }
  /** The answers do not decide it: the run ends. */
  | Failed;

/** What the reads that find the interface were answered. */
interface Probes {
  /** The first read of each kind; null where the kind needs no read. */
  readonly openings: ReadonlyMap<Kind, Fetched<unknown> | null>;
  /** The list of apps; null where it was not asked. */
  readonly apps: Fetched<unknown> | null;
  /** Whether the state says that remit ever read this server. */
  readonly wasRead: boolean;
}

/**
 * Whether a kind can be read. A kind is recorded-only where its read and the list of apps are both answered like an
 * unknown route, and nothing shows that the server has reads. Of a kind that needs no read, the list of apps decides. A
 * failure never counts as an absence.
 */
function offerOf(kind: Kind, asked: AskedInterface, probes: Probes): Offer {
  const { apps, wasRead, openings } = probes;
  const opening = openings.get(kind) ?? null;
  if (isSureOfReads(asked, kind.name, wasRead)) return { as: "offered" };
  if (opening?.as === "failed") return opening;
  if (apps?.as === "failed") return apps;
  if (apps?.as === "absent") return undecided;
  const hasReads = apps?.as === "got" || [...openings.values()].some((one) => one?.as === "got");
  if (opening === null && apps?.as === "not offered" && !hasReads) return apps;
  if (opening?.as !== "not offered") return { as: "offered" };
  return hasReads ? missingRead(kind, opening.why) : opening;
}

/** A server with reads answers the read of one kind as if it had none. */
function missingRead({ name, noun }: Kind, why: string): Failed {
  const diagnostic = say("service/not-offered#missingRead", { why, nouns: noun.many, name });
  return { as: "failed", trouble: "refused", why, diagnostic };
}

/** A list of the whole tenant cannot be missing, so this 404 may come from a server without any reads. */
const undecided: Failed = {
  as: "failed",
  trouble: "refused",
  why: `GET ${formatCallPath(listOfApps())} answered 404`,
  diagnostic: say("service/not-offered#appOfName", { path: formatCallPath(listOfApps()) }),
};

/**
 * Searches by their keys for objects that nothing remembers, where there are many: those that do not exist need no read
 * of their own. A search that fails spares nothing. Objects that are read at the same time are in it where they take no
 * call more: its rows show their names, too.
 */
async function absentBySearch(
  kind: Kind,
  { reads, beside }: { readonly reads: readonly KindRead[]; readonly beside: readonly KindRead[] },
  reader: Reader,
  isUnknown: (wanted: Wanted) => boolean,
): Promise<AbsentBySearch> {
  const { search } = kind.reads.existsBy ?? {};
  if (search === undefined || reads.length < FEWEST) return { reads, absent: [] };
  const unknownIn = (some: readonly KindRead[]) =>
    some.flatMap(({ of, wanted }) => (of === "object" ? wanted.filter(isUnknown) : []));
  const unknown = unknownIn(reads);
  const wanted = keysOf(unknown);
  if (wanted.length < FEWEST) return { reads, absent: [] };
  const room = (search.most - (wanted.length % search.most)) % search.most;
  const keys = [...keysOf(unknownIn(beside)).slice(0, room), ...wanted];
  const batches = Array.from({ length: Math.ceil(keys.length / search.most) }, (_, at) =>
    keys.slice(at * search.most, (at + 1) * search.most),
  );
  const found = await Promise.all(
    batches.map((batch) => reader.all(kind.name, search.call(batch), "sparing")),
  );
  const missing = new Set(
    found.flatMap((fetched) => {
      const rows = fetched.as === "got" ? fetched.value.flatMap((row) => search.row(row) ?? []) : [];
      return rows.flatMap(({ key, exists }) => (exists === false ? [formatKey(kind.name, key)] : []));
    }),
  );
  const absent = unknown.filter(({ name }) => missing.has(name));
  const isSpared = new Set(absent);
  return { reads: reads.filter(({ wanted }) => !wanted.every((one) => isSpared.has(one))), absent };
}

function keysOf(wanted: readonly Wanted[]): readonly Key[] {
  return wanted.flatMap(({ key }) => (key === null ? [] : [key]));
}
