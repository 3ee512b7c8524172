import { keyedAs, sameByParts, sharedByAlike } from "../kinds/alike.js";
import { kindOf } from "../kinds/index.js";
import type { Kind } from "../kinds/kind.js";
import type { Resource } from "../manifest/resource.js";
import { formatAddress } from "../model/address.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { same } from "../model/json.js";
import { formatKey } from "../model/key.js";
import type { Snapshot, Uncertain } from "../state/snapshot.js";
import { parentOf } from "../tenant/desire.js";
import type { Desired } from "../tenant/known.js";
import { say } from "../words/say.js";
import { settling } from "./decide/uncertain.js";
import type { Mode } from "./plan.js";
import type { Removals } from "./removed/decision.js";
import { addressesOf } from "./removed/which.js";
import type { Since } from "./since/since.js";

/** What of the basis of a plan may be at fault as a whole. */
interface Foundation {
  readonly project: readonly Resource[];
  readonly desired: readonly Desired[];
  readonly snapshot: Snapshot | null;
  readonly mode: Pick<Mode, "refreshOnly" | "prune">;
  readonly removals: Pick<Removals, "isPruneStanding">;
  readonly since: Since | null;
}

/** What is wrong with the basis of a plan as a whole. */
export function basisDiagnostics({
  project,
  desired,
  snapshot,
  mode,
  removals,
  since,
}: Foundation): readonly Diagnostic[] {
  return [
    ...sameObject(desired),
    ...lostCreates(project, desired, snapshot),
    ...(snapshot === null && mode.refreshOnly ? [NO_STATE] : []),
    ...(snapshot === null && since === null && mode.prune
      ? [say("plan/prune-no-state", {}, { severity: removals.isPruneStanding ? "warning" : "error" })]
      : []),
  ];
}

/** Drift is what changed since an apply, and only the state records applies. */
const NO_STATE: Diagnostic = say("plan/no-state");

/** Names that were looked up may lead two manifests to one object. */
function sameObject(desired: readonly Desired[]): readonly Diagnostic[] {
  const first = new Map<string, Desired>();
  const byParent = new Map<string, Family>();
  return desired.flatMap((one): readonly Diagnostic[] => {
    const kind = kindOf(one.resource.address);
    const name = one.key === null ? null : formatKey(keyedAs(kind), one.key);
    const twin = name === null ? undefined : first.get(name);
    if (name !== null && twin === undefined) first.set(name, one);
    const alike = describedAlike(one, kind, byParent);
    const other = twin ?? alike;
    if (other === undefined) return [];
    const { address } = other.resource;
    const parts = sameByParts({ kind, address: one.resource.address }, { kind: kindOf(address), address });
    return [{ ...sameObjectTwice(one, other, twin === undefined ? sharedByAlike(kind) : null), ...parts }];
  });
}

/** The manifests of one parent so far, and those of them without an id that tells the objects apart. */
interface Family {
  readonly all: Desired[];
  readonly nameless: Desired[];
}

/** An earlier manifest of the same parent that describes the same object, where one of the two has no id. */
function describedAlike(one: Desired, kind: Kind, byParent: Map<string, Family>): Desired | undefined {
  const { matches } = kind;
  const parent = parentOf(kind, one.identity);
  if (matches === undefined || parent.includes("")) return undefined;
  const place = formatKey(kind.name, parent);
  const { all, nameless } = byParent.get(place) ?? { all: [], nameless: [] };
  byParent.set(place, { all, nameless });
  const isNameless = kind.key(one.identity) === null;
  const spec = { ...one.identity, ...one.fields };
  const found = (isNameless ? all : nameless).find(({ identity, fields }) =>
    matches(spec, { key: [], fields: { ...identity, ...fields } }),
  );
  all.push(one);
  if (isNameless) nameless.push(one);
  return found;
}

function sameObjectTwice(
  { resource }: Desired,
  { resource: other }: Desired,
  shared: string | null,
): Diagnostic {
  const both = `${formatAddress(resource.address)} and ${formatAddress(other.address)}`;
  return say(
    shared === null ? "plan/same-object#one" : "plan/same-object#shared",
    { both, shared: shared ?? "" },
    { ...resource.place([]), related: [{ message: "the other manifest", span: other.place([]).span }] },
  );
}

function lostCreates(
  project: readonly Resource[],
  desired: readonly Desired[],
  snapshot: Snapshot | null,
): readonly Diagnostic[] {
  const wanted = addressesOf(project);
  const keys = new Map(desired.map(({ resource, key }) => [formatAddress(resource.address), key]));
  const isWanted = ({ address, key }: Uncertain) => {
    const now = keys.get(formatAddress(address)) ?? null;
    return wanted.has(formatAddress(address)) && (now === null || key === null || same(now, key));
  };
  return Object.values(snapshot?.uncertain ?? {})
    .filter((create) => !isWanted(create))
    .map(({ address, key, at }) =>
      say("plan/lost-create", { address, at, settling: settling({ address, key }) }),
    );
}
