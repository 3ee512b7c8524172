import { STEPS_ALONE } from "../../apply/preview.js";
import { recall } from "../../apply/recall.js";
import { clientOf, type Session } from "../../apply/session.js";
import { unitsOf } from "../../diff/own.js";
import { kindOf } from "../../kinds/index.js";
import { normaliseWritten } from "../../kinds/normalise.js";
import { loadProject } from "../../manifest/project.js";
import type { Resource } from "../../manifest/resource.js";
import type { Source } from "../../manifest/source.js";
import { type Address, formatAddress } from "../../model/address.js";
import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import type { Meanings } from "../../model/meaning.js";
import { formatPath } from "../../model/path.js";
import { countPeople } from "../../people/count.js";
import { guardPlan } from "../../plan/guards/guards.js";
import type { Finding, Planned } from "../../plan/plan.js";
import type { Request } from "../../plan/request.js";
import { isOtherwise } from "../../plan/saved/files.js";
import { hashOfText } from "../../plan/saved/spelling.js";
import { type Step, wasDeleted } from "../../plan/step.js";
import { plan as planFrom } from "../../reconcile.js";
import type { SpecShape } from "../../schema/shape.js";
import type { Snapshot } from "../../state/snapshot.js";
import { makeTenant, type Tenant } from "../../tenant/tenant.js";
import { say } from "../../words/say.js";
import { unknownTarget, writable } from "./diagnostics.js";
import { chooseCorrections, type Wish, withCauses } from "./edit/choose.js";
import { correctionsOf, meantBy } from "./edit/corrections.js";
import type { OutdatedManifest } from "./edit/write.js";
import type { NameOf } from "./edit/written.js";
import { type AcceptedObject, type WrittenFiles, writtenInto } from "./files.js";
import { type AcceptNaming, idsOfManifests, namesOfPlan, namesOfTenant } from "./names.js";

/** An object whose drift is accepted, and the one field that is meant; null for all of them. */
export interface AcceptTarget {
  readonly address: Address;
  readonly field: string | null;
}

/** What an accept is asked for with. */
export interface AcceptRequest {
  readonly request: Request;
  /** Null for all drift of the project. */
  readonly targets: readonly AcceptTarget[] | null;
  /** A saved plan to take the tenant's values from; null reads the tenant. */
  readonly from: Planned | null;
  readonly progress: (done: number, total: number) => void;
}

/** What an accept came to. Nothing is written yet. */
export interface Accepted extends WrittenFiles {
  /** What the accepted values mean for access. */
  readonly access: AcceptedAccess;
}

/** A manifest, the step about it, and the tenant's values that it gets. */
interface Case {
  readonly resource: Resource;
  readonly step: Step;
  readonly wish: Wish;
}

/**
 * The files of a project with what the tenant has now in the place of what drifted. Writes nothing, neither to the tenant
 * nor to a file or the store. Null where an error leaves no answer.
 */
export async function acceptDrift(
  order: AcceptRequest,
  session: Session | null,
): Promise<Checked<Accepted | null>> {
  const { request, targets, from } = order;
  const project = await loadProject(request.project.manifests);
  const told = project.diagnostics.map(({ diagnostic }) => diagnostic);
  if (hasErrors(told)) return { value: null, diagnostics: told };
  const unknown = (targets ?? []).flatMap(({ address, field }) =>
    unknownTarget(address, field, project.resources),
  );
  if (unknown.length > 0) return { value: null, diagnostics: unknown };

  const made = await planAndNames(order, session);
  if (made.value === null) return { value: null, diagnostics: made.diagnostics };
  const { plan, naming, snapshot } = made.value;
  const ids = idsOfManifests(plan.steps, snapshot);
  const stale = from === null ? [] : changedSince(from, project.sources);
  const byAddress = new Map(project.resources.map((resource) => [formatAddress(resource.address), resource]));
  const left: Diagnostic[] = [];
  const cases = plan.steps.flatMap((step): readonly Case[] => {
    const resource = byAddress.get(formatAddress(step.address));
    // What is unchanged in a saved plan says nothing of its file.
    if (resource === undefined || (from !== null && !isOtherwise(step))) return [];
    const wish = wishFor(step, targets);
    return wish === null ? [] : [{ resource, step, wish }];
  });
  const isFresh = ({ resource: { file } }: Pick<Case, "resource">) => !stale.includes(file);
  const { deleted, changed } = await sorted(cases.filter(isFresh), { plan, naming, ids }, left);
  const { files, objects, left: unwritten } = writtenInto(project, changed, deleted);
  left.push(...unwritten);
  const staleCases = new Set(cases.filter((one) => !isFresh(one)).map(({ resource }) => resource.file));
  for (const file of staleCases) left.push(say("accept/changed-file#atApply", { file }));
  const access = await accessBy(objects, plan, request, made.value.tenant);
  return { value: { files, objects, left, access }, diagnostics: [...made.diagnostics] };
}

/** The plan that the values are taken from, and how names for ids are found. */
interface PlanToAccept {
  readonly plan: Planned;
  /** Null where the store has no state, and with a saved plan. */
  readonly snapshot: Snapshot | null;
  readonly naming: AcceptNaming;
  /** Null where the plan is a saved one. */
  readonly tenant: Tenant | null;
}

/** Makes the plan that says what the names in manifests mean. */
export async function planAndNames(
  { request, targets, from, progress }: AcceptRequest,
  session: Session | null,
): Promise<Checked<PlanToAccept | null>> {
  const apps = request.project.manifests.apps ?? {};
  if (from !== null)
    return {
      value: { plan: from, snapshot: null, naming: namesOfPlan(from, apps), tenant: null },
      diagnostics: [],
    };
  if (session === null) throw new Error("an accept without a plan has a session");
  const client = clientOf(session);
  client.signIn();
  const state = await recall(session, request);
  if (hasErrors(state.diagnostics)) return { value: null, diagnostics: state.diagnostics };
  const mode = { ...request.mode, targets: (targets ?? []).map(({ address }) => formatAddress(address)) };
  const asked: Request = { ...request, mode, ...STEPS_ALONE };
  const tenant = makeTenant(client, { keepsAll: true });
  const { value, diagnostics } = await planFrom(asked, state.value, tenant, "later", { progress });
  const all = [...state.diagnostics, ...diagnostics];
  if (value === null) return { value: null, diagnostics: all };
  const { snapshot } = state.value;
  const naming = namesOfTenant(tenant, request.tenant.interface, apps, snapshot);
  return { value: { plan: value, snapshot, naming, tenant }, diagnostics: [] };
}

/** What of a step is accepted; null for nothing. */
function wishFor({ address }: Step, targets: AcceptRequest["targets"]): Wish | null {
  if (targets === null) return "drift";
  const own = targets.filter((target) => formatAddress(target.address) === formatAddress(address));
  if (own.some(({ field }) => field === null)) return "all";
  return own.length === 0 ? null : { fields: own.flatMap(({ field }) => field ?? []) };
}

/** The cases as what to write and what to delete; everything else gets a diagnostic. */
async function sorted(
  cases: readonly Case[],
  { plan, naming, ids }: Pick<PlanToAccept, "plan" | "naming"> & { readonly ids: Meanings },
  left: Diagnostic[],
) {
  const deleted: Resource[] = [];
  const open: (Case & { readonly current: NonNullable<Step["before"]> })[] = [];
  for (const one of cases) {
    const { step, wish, resource } = one;
    const current = plan.mode.refreshOnly ? step.after : step.before;
    if (wasDeleted(step)) {
      if (typeof wish === "object") {
        const { address, place } = resource;
        left.push(say("accept/deleted", { name: address }, place([])));
      } else deleted.push(resource);
    } else if (current !== null && step.sight.exists === "yes") open.push({ ...one, current });
    // What could not be read may have drifted.
    else if (step.action !== "keep" && (wish !== "drift" || step.reason === "read failed")) {
      const [first] = step.diagnostics;
      const why = first?.message ?? "it is not in the tenant";
      const place = { ...resource.place([]), hint: first?.hint };
      left.push(say("accept/not-seen", { address: resource.address, why }, place));
    }
  }
  const correction = (nameOf: NameOf) =>
    open.map((one) => {
      const { resource, step, wish, current } = one;
      const { shape } = kindOf(resource.address);
      const known = { ...ids, ...step.managed.meanings };
      const corrections = correctionsOf(resource.spec, known, current, shape, nameOf);
      const meant = meantBy(resource.spec, shape, known);
      const changes = plan.mode.refreshOnly
        ? withCauses(step.changes, normaliseWritten(meant, shape))
        : step.changes;
      return { ...one, choice: chooseCorrections(corrections, { ...step, changes }, wish) };
    });
  const { made, meanings } = await naming(correction);
  const changed: OutdatedManifest[] = [];
  for (const { resource, step, current, choice } of made) {
    for (const { place, why } of choice.left) {
      const values = { name: resource.address, field: formatPath(place) };
      const key = why === "edited too" ? "accept/edited#both" : "accept/edited#alone";
      left.push(say(key, values, resource.place(["spec", ...values.field.split(".")])));
    }
    const corrections = writable(resource, choice.taken, left);
    if (corrections.length === 0) continue;
    const known = { ...ids, ...meanings, ...step.managed.meanings };
    changed.push({ resource, current, corrections, meanings: known });
  }
  return { deleted, changed };
}

/** The files that the plan was not made from as they are now. */
function changedSince({ files }: Planned, sources: readonly Source[]): readonly string[] {
  return sources.filter(({ file, text }) => files[file] !== hashOfText(text)).map(({ file }) => file);
}

/** What accepted values mean for access: the plan that follows asks the same. */
interface AcceptedAccess {
  /** The steps that take the values over, with what they mean for people where that was counted. */
  readonly plan: Planned;
  readonly findings: readonly Finding[];
}

/** Asks guards and people about what an accept takes over, from what the manifests said before it. */
async function accessBy(
  objects: readonly AcceptedObject[],
  plan: Planned,
  { optional: { counting }, rules }: Request,
  tenant: Tenant | null,
): Promise<AcceptedAccess> {
  const steps = objects.flatMap((object) => takenOver(object, plan));
  const open: Planned = { ...plan, mode: { ...plan.mode, refreshOnly: false }, since: null, steps };
  const counted = tenant === null || counting === null ? null : await countPeople(open, tenant, counting);
  // A plan of drift alone was counted in the same direction.
  const impact = counted?.impact ?? (plan.mode.refreshOnly ? plan.impact : null);
  const accepted = { ...open, impact };
  return { plan: accepted, findings: guardPlan(accepted, rules) };
}

/** The step that the next plan has for an object with these fields. */
function takenOver(
  { address, fields, isDeleted }: AcceptedObject,
  { steps, mode }: Planned,
): readonly Step[] {
  const step = steps.find((one) => formatAddress(one.address) === formatAddress(address));
  if (step === undefined || isDeleted) return [];
  const [now, then] = mode.refreshOnly ? [step.after, step.recorded.driftedFrom] : [step.before, step.after];
  if (now === null || then === null) return [];
  const driftedFrom = withFields(now, then, fields, kindOf(address).shape);
  const adopted = {
    action: "adopt",
    reason: "drift accepted",
    calls: [],
    changes: [],
    replaces: null,
  } as const;
  return [
    {
      ...step,
      ...adopted,
      before: now,
      after: now,
      recorded: { ...step.recorded, driftedFrom, moved: [] },
      sight: { ...step.sight, unseen: null },
    },
  ];
}

/** An object with some of its fields as they were. */
function withFields(
  now: JsonObject,
  then: JsonObject,
  fields: readonly string[],
  shape: SpecShape,
): JsonObject {
  const names = new Set(fields.map((field) => field.split(/[.[]/, 1)[0] ?? field));
  const members = unitsOf(shape)
    .filter((unit) => unit.members.some((member) => names.has(member)))
    .flatMap((unit) => unit.members);
  const isOf = ([name]: readonly [string, unknown]) => members.includes(name);
  return Object.fromEntries([
    ...Object.entries(now).filter((one) => !isOf(one)),
    ...Object.entries(then).filter(isOf),
  ]);
}
