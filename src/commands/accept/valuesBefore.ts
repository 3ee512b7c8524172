import type { Unit } from "../../diff/own.js";
import { kindOf } from "../../kinds/index.js";
import type { ProjectAtCommit } from "../../manifest/git/earlierProject.js";
import { short } from "../../manifest/git/earlierProject.js";
import { checkAll } from "../../manifest/load.js";
import type { Resource } from "../../manifest/resource.js";
import { type Address, formatAddress } from "../../model/address.js";
import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { onceFor } from "../../model/onceFor.js";
import type { Request } from "../../plan/request.js";
import type { Snapshot } from "../../state/snapshot.js";
import { resolveEarlier } from "../../tenant/earlier.js";
import { openOrigin } from "../../tenant/origin.js";
import type { Tenant } from "../../tenant/tenant.js";
import { say } from "../../words/say.js";
import {
  type Candidate,
  type ChangingRun,
  candidateOf,
  candidateOfTexts,
  changedUnits,
  earlierOf,
  named,
  type ValueBefore,
  type ValueOrigin,
} from "./before.js";
import type { AcceptTarget } from "./drift.js";
import type { Restored } from "./restored.js";

/** Where earlier manifests are read, and for which project. */
export interface EarlierManifests {
  readonly request: Request;
  readonly resourcesAt: ReturnType<typeof readingOnce>;
}

/** Reads the manifests of a commit at most once: several objects may have been applied from it. */
export function readingOnce(projectAt: (commit: string) => Promise<Checked<ProjectAtCommit | null>>) {
  return onceFor(async (name: string) => {
    const { value, diagnostics } = await projectAt(name);
    if (value === null) return { value, diagnostics };
    const { commit, sources, vocabulary } = value;
    const { resources } = checkAll(sources, vocabulary);
    return { value: { commit, resources, sources, apps: vocabulary.apps }, diagnostics };
  });
}

/** A run that changed an object, and what of it is asked for. */
interface Asked {
  readonly resource: Resource;
  readonly target: Pick<AcceptTarget, "field">;
  readonly change: ChangingRun;
}

/** What was found on the way: what cannot be restored, and where the rest is from. */
export interface Findings {
  /** Null where no name of an earlier manifest can be looked up. */
  readonly tenant: Tenant | null;
  readonly snapshot: Snapshot | null;
  readonly left: Diagnostic[];
  readonly notes: Diagnostic[];
}

/** The manifest of an object at a commit: where it stood, and what its names mean, where that is clear. */
export async function manifestAt(
  address: Address,
  name: string,
  { request, resourcesAt }: EarlierManifests,
  { tenant, snapshot }: Pick<Findings, "tenant" | "snapshot">,
) {
  const { value, diagnostics } = await resourcesAt(name);
  if (value === null) return { value, diagnostics };
  const { commit, resources, sources } = value;
  const own = resources.filter((one) => formatAddress(one.address) === formatAddress(address));
  const [resource] = own;
  if (resource === undefined) {
    const values = { address, commit: short(commit), name: address.name };
    return { value: null, diagnostics: [...diagnostics, say("accept/no-commit#noManifest", values)] };
  }
  const { apps = {} } = request.project.manifests;
  const asked = request.tenant.interface;
  const origin = openOrigin({ asked, tenant, snapshot, apps, progress: () => undefined });
  const [resolved = null] = (await resolveEarlier(own, value.apps, origin)).value;
  const source = sources.find(({ file }) => file === resource.file);
  return { value: { commit, source, resolved }, diagnostics };
}

/** Finds the values before a run. Commits are read only for what neither the record nor the state shows. */
export async function valuesBefore(
  { resource, target, change }: Asked,
  { request, resourcesAt }: EarlierManifests,
  { tenant, snapshot, left, notes }: Findings,
): Promise<Restored> {
  const { shape } = kindOf(resource.address);
  const { step, record, commits } = change;
  const secret = snapshot?.history?.secret ?? "";
  const units = changedUnits(step, shape, topFieldOf(target));
  const { address, place } = resource;
  const run = named(record);
  if (units.length === 0) {
    const changed = target.field === null ? "no field of it" : `other fields than ${target.field}`;
    left.push(
      say("accept/not-restored#unchanged", { name: formatAddress(address), run, changed }, place([])),
    );
  }
  const candidates = known(resource, snapshot);
  const judged = () => units.map((unit) => earlierOf(unit, step, candidates, shape, secret));
  const meanings: Record<string, string> = {};
  const missing: Diagnostic[] = [];
  for (const commit of commits) {
    if (judged().every(({ isProved }) => isProved)) break;
    const { value, diagnostics } = await manifestAt(
      address,
      commit,
      { request, resourcesAt },
      { tenant, snapshot },
    );
    missing.push(...diagnostics);
    if (value === null) continue;
    if (value.resolved === null) {
      const values = { address, commit: short(value.commit) };
      missing.push(say("accept/not-restored#unclearName", values, place([])));
    } else {
      Object.assign(meanings, value.resolved.meanings);
      candidates.push(candidateOf(value.resolved, value.commit));
    }
  }
  // A commit has the author's own words for them.
  const texts = candidateOfTexts(step);
  if (texts !== null) candidates.push(texts);
  const all = judged();
  const lost = all.filter(({ of }) => of === null);
  if (lost.length > 0 && commits.length === 0)
    left.push(say("accept/no-commit#ofRun", { address, run }, place([])));
  else if (lost.length > 0) left.push(...missing);
  if (candidates.some(({ origin }) => origin.as === "commit"))
    for (const { unit } of lost) {
      const values = { address, name: unit.name, run };
      left.push(say("accept/not-restored#otherThen", values, writtenAt(unit, resource)));
    }
  const earlier = all.filter((one) => one.of !== null);
  notes.push(...earlier.map((one) => whereFrom(resource, one, record)));
  return { resource, earlier, meanings, fields: target.field === null ? null : [target.field] };
}

/** Where a value comes from, and what shows that it is the right one. */
function whereFrom(
  resource: Resource,
  { unit, of, isProved }: ValueBefore,
  record: ChangingRun["record"],
): Diagnostic {
  const fields = unit.members.filter((member) => Object.hasOwn(of.fields, member));
  const what = `${formatAddress(resource.address)}: ${fields.length === 0 ? unit.name : fields.join(", ")}`;
  const values = { what, origin: fromWhere(of.origin), run: named(record), id: record.run };
  if (!isProved) return say("accept/not-proved#value", values, writtenAt(unit, resource));
  return say(of.origin.as === "record" ? "accept/restored#unset" : "accept/restored#value", values);
}

/** Where a field, or one of a choice, is written. */
function writtenAt({ name, members }: Unit, { place, spec }: Resource) {
  return place(["spec", members.find((member) => Object.hasOwn(spec, member)) ?? name]);
}

function fromWhere(origin: ValueOrigin): string {
  switch (origin.as) {
    case "record":
      return "the record";
    case "texts":
      return "the values that are kept with the record";
    case "state":
      return "the state, which has what was there before remit managed it";
    case "commit":
      return `the manifest at ${short(origin.commit)}`;
    default:
      return origin satisfies never;
  }
}

/** What needs no commit: that nothing was set, and what the state has of the time before remit managed the object. */
function known({ address }: Resource, snapshot: Snapshot | null): Candidate[] {
  const name = formatAddress(address);
  const entry = Object.values(snapshot?.entries ?? {}).find((one) => formatAddress(one.address) === name);
  const { original } = entry ?? {};
  const unset: Candidate = { origin: { as: "record" }, fields: {}, owned: null, written: {} };
  if (original === undefined) return [unset];
  const state: Candidate = {
    origin: { as: "state" },
    fields: original,
    owned: Object.keys(original),
    written: {},
  };
  return [unset, state];
}

/** The field directly under `spec` that a target names; null for all. */
export function topFieldOf({ field }: Pick<AcceptTarget, "field">): string | null {
  return field === null ? null : (field.split(/[.[]/, 1)[0] ?? field);
}
