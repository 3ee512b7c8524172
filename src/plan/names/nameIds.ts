import type { Change } from "../../diff/change.js";
import { kindOf } from "../../kinds/index.js";
import { isLive } from "../../kinds/interface.js";
import { referable, shownName } from "../../kinds/referable.js";
import type { Json, JsonObject } from "../../model/json.js";
import type { Target } from "../../schema/shape.js";
import { makeBatchById } from "../../tenant/batchById.js";
import { totalOf } from "../../tenant/known.js";
import { makeCatalogue, type PointedAt } from "../../tenant/names/catalogue.js";
import { NAMED_SORTS } from "../../tenant/names/heard.js";
import type { Tenant } from "../../tenant/tenant.js";
import { writes } from "../calls.js";
import type { Learned } from "../observed.js";
import { type Observation, type Plan, pendingIn } from "../plan.js";
import { type Reference, referencesIn } from "../references.js";

/**
 * Names for the ids that a plan would show bare: all of a sort, or none where that takes too many calls. What the plan has
 * heard is not asked for again. Nothing of the plan depends on it. A read that is refused is named among what the plan could not see. Null where nothing was looked up.
 */
export async function nameIds(
  plan: Plan & Pick<Observation, "names">,
  tenant: Tenant,
  most: number,
): Promise<Learned["names"]> {
  const bare = bareIds(plan);
  if (bare.length === 0 || most === 0 || !isAnyRead(plan)) return null;
  const reader = tenant.reader();
  const catalogue = makeCatalogue(reader);
  const names = new Map(Object.entries(plan.names));
  await Promise.all(
    wantedIn(bare, most).map(async ({ of, pointed: all }) => {
      for (const one of all) {
        const name = tenant.heardName(of, one);
        if (name !== "") names.set(one.reference, name);
      }
      const pointed = all.filter(({ reference }) => !names.has(reference));
      const finder = referable(of).list?.byId == null ? catalogue : makeBatchById(of, reader);
      const found = await Promise.all(pointed.map((one) => finder.find(one)));
      for (const [at, one] of found.entries()) {
        const place = pointed[at];
        const name = one === undefined ? "" : shownName(of, one);
        if (place !== undefined && name !== "") names.set(place.reference, name);
      }
    }),
  );
  const calls = totalOf(reader.calls());
  if (calls === 0 && names.size === Object.keys(plan.names).length) return null;
  const refused = reader.unknown().toSorted((one, other) => (one.what < other.what ? -1 : 1));
  const unseen = refused.map(({ what, why }) => ({ what: `names of ${what}`, why }));
  return {
    names: Object.fromEntries([...names].sort(([one], [other]) => (one < other ? -1 : 1))),
    unseen,
    calls,
  };
}

/** What is looked up of each sort, within so many calls: all of it or nothing, because half of the names would puzzle. */
function wantedIn(bare: readonly string[], most: number): readonly Batch[] {
  let left = most;
  const wanted: Batch[] = [];
  for (const of of NAMED_SORTS) {
    const { list } = referable(of);
    const pointed = bare.flatMap((reference) => pointedIn(reference, of) ?? []);
    if (list === null || pointed.length === 0) continue;
    // Ids are searched together, templates are read one by one, and the other lists are short.
    const each = list.byId !== null ? list.byId.most : list.one !== null ? 1 : pointed.length;
    const calls = Math.ceil(pointed.length / each);
    if (calls > left) continue;
    left -= calls;
    wanted.push({ of, pointed });
  }
  return wanted;
}

interface Batch {
  readonly of: Target;
  readonly pointed: readonly Place[];
}

/** Whether anything of the plan was read: a service without reads has no names. */
function isAnyRead({ interface: { kinds }, mode, steps }: Plan): boolean {
  return !mode.offline && steps.some(({ address }) => isLive(kinds, address.kind));
}

interface Place extends PointedAt {
  readonly reference: string;
}

/** What a reference such as `entitlement:APP/ID` points at, where it is of that sort. */
function pointedIn(reference: string, of: Target): Place | undefined {
  if (!reference.startsWith(`${of}:`)) return undefined;
  const ids = reference.slice(of.length + 1);
  const slash = ids.indexOf("/");
  return { of, reference, app: slash < 0 ? "" : ids.slice(0, slash), id: ids.slice(slash + 1) };
}

/** What a reader of a plan sees as a bare id: in the keys and the changed fields of what is written or differs. */
function bareIds(plan: Plan & Pick<Observation, "names">): readonly Reference[] {
  const found = new Set<Reference>();
  for (const step of [...plan.steps, ...pendingIn(plan)]) {
    if (step.changes.length === 0 && !writes(step)) continue;
    const { shape } = kindOf(step.address);
    const values = [step.managed.identity, ...step.changes.flatMap(({ change }) => valuesOf(change))];
    for (const value of values) for (const one of referencesIn(value, shape)) found.add(one);
  }
  return [...found].filter((one) => plan.names[one] === undefined);
}

/** The shown values of a change, each at its place in a spec. */
function valuesOf(change: Change): readonly JsonObject[] {
  const { path } = change;
  const at = (value: Json) => within(value, path);
  if (change.type === "set") return [at([...change.added]), at([...change.removed])];
  if (change.type !== "choice") return [at(change.before), at(change.after)];
  const { from, to, before, after } = change;
  return [...(from === null ? [] : [at({ [from]: before })]), ...(to === null ? [] : [at({ [to]: after })])];
}

/** A value as the one member of each object on the way to it. Places in a list are left out: it is then one item. */
function within(value: Json, path: Change["path"]): JsonObject {
  const [first, ...rest] = path;
  if (first === undefined) return value as JsonObject;
  const inner: Json = rest.length === 0 ? value : within(value, rest);
  return typeof first === "number" ? ([inner] as unknown as JsonObject) : { [first]: inner };
}
