import { kinds } from "../kinds/index.js";
import type { Kind, Observed } from "../kinds/kind.js";
import { normalise } from "../kinds/normalise.js";
import { madeByPeople } from "../kinds/settings.js";
import { same } from "../model/json.js";
import type { Reader } from "./reader.js";

/** An object as far as people set it: null also where it has nothing but what the service itself writes into it. */
export async function setByPeople(
  kind: Kind,
  observed: Observed,
  isConnected: boolean,
  reader: Reader,
): Promise<Observed | null> {
  const own = madeByPeople(observed, isConnected);
  return own === null || (await isGiven(kind, own, reader)) ? null : own;
}

/** Whether a connector made an object and all that is set of it may be what the service itself writes: its fields do not tell. */
export function mayBeGiven(kind: Kind, one: Observed): boolean {
  const own = madeByPeople(one);
  if (own === null || own.isConnected !== true) return false;
  return giversOf(kind).some(
    ({ rewrites: { fields, lock } }) =>
      own.fields[lock] !== true && Object.keys(own.fields).every((name) => fields.includes(name)),
  );
}

/** Whether a connector made an object and all that is set of it is what another one makes the service write into it. */
export async function isGiven(kind: Kind, own: Observed, reader: Reader): Promise<boolean> {
  if (own.isConnected !== true) return false;
  const given = await Promise.all(giversOf(kind).map((giver) => isGivenBy(giver, own, kind, reader)));
  return given.includes(true);
}

type Giver = Kind & Required<Pick<Kind, "rewrites">>;

/** The kinds whose objects make the service write into those of a kind. */
function giversOf({ name }: Kind): readonly Giver[] {
  return kinds.filter((giver): giver is Giver => giver.rewrites?.kind === name);
}

// Where that is not shown, people may have set it.
async function isGivenBy(giver: Giver, one: Observed, { shape }: Kind, reader: Reader): Promise<boolean> {
  const { rewrites, reads } = giver;
  const part = reads.parts?.find(({ field }) => field === rewrites.field);
  if (part?.as !== "object" || one.fields[rewrites.lock] === true) return false;
  const shown = await reader.one(giver.name, part.call(one.key.slice(0, 1)), "optional");
  if (shown.as !== "got") return false;
  const fields = normalise({ [part.field]: part.observe(shown.value) ?? null }, giver.shape);
  const { appResourceTypeId = "" } = one.madeWith ?? {};
  if (!rewrites.types(fields).some((type) => type === appResourceTypeId)) return false;
  const given = normalise(rewrites.gives(fields), shape);
  return Object.entries(one.fields).every(([name, value]) => same(given[name] ?? null, value));
}
