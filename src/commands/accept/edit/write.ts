import { kindOf } from "../../../kinds/index.js";
import { deleteManifests } from "../../../manifest/edit/deleteManifests.js";
import type { Operation } from "../../../manifest/edit/edit.js";
import { type RefusedOperation, splice } from "../../../manifest/edit/splice.js";
import { readManifests } from "../../../manifest/manifests.js";
import type { Range } from "../../../manifest/parse/marks.js";
import type { Resource } from "../../../manifest/resource.js";
import type { Source } from "../../../manifest/source.js";
import type { Vocabulary } from "../../../manifest/vocabulary.js";
import { type Address, formatAddress } from "../../../model/address.js";
import type { Diagnostic } from "../../../model/diagnostic.js";
import { groupBy } from "../../../model/groupBy.js";
import type { JsonObject } from "../../../model/json.js";
import type { Meanings } from "../../../model/meaning.js";
import { formatPath, type Path } from "../../../model/path.js";
import { say } from "../../../words/say.js";
import type { Correction } from "./align.js";
import { isAtField } from "./choose.js";
import { correctionsOf } from "./corrections.js";

/** One manifest that gets the tenant's values. */
export interface OutdatedManifest {
  readonly resource: Resource;
  readonly current: JsonObject;
  readonly corrections: readonly Correction[];
  /** What the names mean, those that the corrections write among them. */
  readonly meanings: Meanings;
}

/** What cannot be written: of which manifest, and why. */
interface Unwritten {
  readonly address: Address;
  readonly field: string;
  readonly fault: Diagnostic;
  /** The stretch of the text that is in the way; null where none is. */
  readonly range: Range | null;
}

/** A file's text after an accept; null where nothing is left in it. */
interface Amended {
  readonly text: string | null;
  readonly unwritten: readonly Unwritten[];
}

/**
 * A text with the tenant's values in its manifests, and without the manifests of deleted objects. What was written is read
 * again: a field that would not be valid, or would not have the tenant's value, stays as it is, and the others are written.
 */
export function writeAccepted(
  source: Source,
  entries: readonly OutdatedManifest[],
  deleted: readonly Address[],
  vocabulary: Vocabulary,
): Amended {
  const unwritten: Unwritten[] = [];
  let open = entries;
  for (;;) {
    const { text, refused } = splice(source.text, isJson(source), open.map(changeOf));
    const failed = faultsIn(text, source, open, refused, vocabulary);
    if (failed.size === 0) {
      const inTheWay = refused.map((one): Unwritten => {
        const field = formatPath(placeOfOperation(one.operation));
        return { address: one.address, field, fault: one.refusal, range: one.refusal.range };
      });
      return { text: deleteManifests(text, deleted), unwritten: [...unwritten, ...inTheWay] };
    }
    open = open.flatMap((entry): readonly OutdatedManifest[] => {
      const why = failed.get(entry);
      if (why === undefined) return [entry];
      const { sound, faulty } = sortedBySoundness(entry, source, vocabulary, why);
      unwritten.push(...faulty);
      return sound.length === 0 ? [] : [{ ...entry, corrections: sound }];
    });
  }
}

/**
 * The corrections of a manifest that can be written without the others, and why not the rest. Where each one could be
 * written alone and all of them together could not, none is written.
 */
function sortedBySoundness(entry: OutdatedManifest, source: Source, vocabulary: Vocabulary, why: Diagnostic) {
  const { address } = entry.resource;
  const byField = groupBy(entry.corrections, ({ place }) => formatPath(place));
  const judged = [...byField].map(([field, corrections]) => {
    const alone = { ...entry, corrections };
    const { text, refused } = splice(source.text, isJson(source), [changeOf(alone)]);
    const fault = faultsIn(text, source, [alone], refused, vocabulary).get(alone) ?? null;
    return { field, corrections, fault };
  });
  const isAnyFaulty = judged.some(({ fault }) => fault !== null);
  const faulty = judged
    .filter(({ fault }) => fault !== null || !isAnyFaulty)
    .map(({ field, fault }): Unwritten => ({ address, field, fault: fault ?? why, range: null }));
  const sound = judged.filter(({ fault }) => fault === null).flatMap(({ corrections }) => corrections);
  return { sound: isAnyFaulty ? sound : [], faulty };
}

function isJson({ file }: Source): boolean {
  return file.toLowerCase().endsWith(".json");
}

function changeOf({ resource, corrections }: OutdatedManifest) {
  const operations = corrections.flatMap(({ operation }): readonly Operation[] =>
    operation === null ? [] : [operation],
  );
  return { address: resource.address, operations: merged(operations) };
}

/** The manifests that do not say what they should: each with why. */
function faultsIn(
  text: string,
  source: Source,
  entries: readonly OutdatedManifest[],
  refused: readonly RefusedOperation[],
  vocabulary: Vocabulary,
): ReadonlyMap<OutdatedManifest, Diagnostic> {
  const { members, diagnostics } = readManifests({ ...source, text }, { ...vocabulary, apps: {} });
  const byAddress = new Map(members.map(({ resource }) => [formatAddress(resource.address), resource]));
  const found = new Map<OutdatedManifest, Diagnostic>();
  for (const entry of entries) {
    const { resource, current, corrections, meanings } = entry;
    const name = formatAddress(resource.address);
    const after = byAddress.get(name);
    if (after === undefined) {
      const fault = diagnostics.find(
        ({ about, diagnostic }) =>
          diagnostic.severity === "error" &&
          about.some(({ manifest }) => manifest !== null && formatAddress(manifest.address) === name),
      );
      const why = fault?.diagnostic.message;
      found.set(
        entry,
        why === undefined ? say("accept/unwritable#unread") : say("accept/unwritable", { why }),
      );
      continue;
    }
    const kept = refused
      .filter(({ address }) => formatAddress(address) === name)
      .map(({ operation }) => placeOfOperation(operation));
    const { shape } = kindOf(resource.address);
    const still = correctionsOf(after.spec, meanings, current, shape, () => null).find(
      ({ place }) =>
        corrections.some(
          (correction) => correction.operation !== null && isAtField(place, formatPath(correction.place)),
        ) && !kept.some((path) => isAtField(place, formatPath(path))),
    );
    if (still !== undefined)
      found.set(entry, say("accept/unwritable#same", { path: formatPath(still.place) }));
  }
  return found;
}

/** Where an operation takes effect: at a value, or at the member that it names; where nothing is chosen, at the one that goes. */
function placeOfOperation(operation: Operation): Path {
  if (operation.do === "swap") {
    const { path, from, to } = operation;
    return [...path, to.value === null ? from : to.name];
  }
  if (operation.do !== "members") return operation.path;
  const [name] = [...operation.removed, ...operation.added.map((one) => one.name)];
  return name === undefined ? operation.path : [...operation.path, name];
}

type Members = Extract<Operation, { do: "members" }>;

/** Operations with one for all members of an object, because they share commas and lines. Inner ones stay before outer ones. */
function merged(operations: readonly Operation[]): readonly Operation[] {
  const groups = new Map<string, Members>();
  const others: Operation[] = [];
  for (const operation of operations) {
    if (operation.do !== "members") {
      others.push(operation);
      continue;
    }
    const name = formatPath(operation.path);
    const before = groups.get(name);
    groups.set(name, {
      ...operation,
      removed: [...(before?.removed ?? []), ...operation.removed],
      added: [...(before?.added ?? []), ...operation.added],
    });
  }
  const deepestFirst = [...groups.values()].sort((one, other) => other.path.length - one.path.length);
  return [...others, ...deepestFirst];
}
