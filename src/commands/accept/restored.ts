import { owns } from "../../diff/own.js";
import { kindOf } from "../../kinds/index.js";
import { normaliseWritten } from "../../kinds/normalise.js";
import type { Member } from "../../manifest/edit/edit.js";
import type { Resource } from "../../manifest/resource.js";
import { formatAddress } from "../../model/address.js";
import type { JsonObject } from "../../model/json.js";
import type { Meanings } from "../../model/meaning.js";
import type { ValueBefore } from "./before.js";
import { type Correction, corrected } from "./edit/align.js";
import { isAtField } from "./edit/choose.js";
import { correctionsOf, meantBy } from "./edit/corrections.js";
import type { NameOf } from "./edit/written.js";

/** The values that a manifest gets back, and what the names in them mean. */
export interface Restored {
  readonly resource: Resource;
  readonly earlier: readonly ValueBefore[];
  readonly meanings: Meanings;
  /** The fields that are meant; null for all. */
  readonly fields: readonly string[] | null;
}

/** Each manifest once: several of its fields may have been named. */
export function joinedRestores(all: readonly Restored[]): readonly Restored[] {
  const byAddress = new Map<string, Restored>();
  for (const one of all) {
    const name = formatAddress(one.resource.address);
    const { earlier = [], meanings = {}, fields = [] } = byAddress.get(name) ?? {};
    const known = new Set(earlier.map(({ unit }) => unit.name));
    byAddress.set(name, {
      resource: one.resource,
      earlier: [...earlier, ...one.earlier.filter(({ unit }) => !known.has(unit.name))],
      meanings: { ...meanings, ...one.meanings },
      fields: fields === null || one.fields === null ? null : [...fields, ...one.fields],
    });
  }
  return [...byAddress.values()];
}

/** A manifest, and what has to be written for it to ask for the earlier values. */
export function manifestWith({ resource, earlier, fields }: Restored, meanings: Meanings, nameOf: NameOf) {
  const { spec } = resource;
  const { shape } = kindOf(resource.address);
  const meant = normaliseWritten(meantBy(spec, shape, meanings), shape);
  const members = new Set(earlier.flatMap(({ unit }) => unit.members));
  const values = earlier.flatMap(({ unit, of }) =>
    unit.members.flatMap((name) => {
      const value = of.fields[name] ?? null;
      return value === null ? [] : [[name, value] as const];
    }),
  );
  const kept = Object.entries(meant).filter(([name]) => !members.has(name));
  const current: JsonObject = Object.fromEntries([...kept, ...values]);
  const inSpec = correctionsOf(spec, meanings, current, shape, nameOf).filter(({ place: [first = ""] }) =>
    members.has(String(first)),
  );
  const written = Object.assign({}, ...earlier.map(({ of }) => of.written)) as JsonObject;
  const all = [...inSpec, ...earlier.flatMap((one) => addedBy(one, spec))].map((one) =>
    asWritten(one, written),
  );
  // A choice, or a field that is not written, comes back whole.
  const isWanted = ({ place }: Correction) =>
    fields === null ||
    fields.some((field) => isAtField(place, field)) ||
    !Object.hasOwn(spec, String(place[0]));
  return { resource, current, corrections: all.filter(isWanted), meanings };
}

/** A field that the manifest no longer has. */
function addedBy({ unit, of }: ValueBefore, spec: JsonObject): readonly Correction[] {
  if (owns(Object.keys(spec), unit)) return [];
  return unit.members.flatMap((name): readonly Correction[] => {
    const value = of.fields[name] ?? null;
    if (value === null) return [];
    const added = [{ name, value }];
    return [corrected([name], { do: "members", path: [], removed: [], added })];
  });
}

/** A field that comes back whole, as the earlier manifest wrote it: with the names that it had there. */
function asWritten(correction: Correction, written: JsonObject): Correction {
  const { operation } = correction;
  if (operation === null || operation.path.length > 0) return correction;
  const like = ({ name, value }: Member): Member => ({ name, value: written[name] ?? value });
  if (operation.do === "swap") return { ...correction, operation: { ...operation, to: like(operation.to) } };
  if (operation.do !== "members") return correction;
  return { ...correction, operation: { ...operation, added: operation.added.map(like) } };
}
