import { type FoundRecord, historyOf, recordsAbout } from "../../apply/history.js";
import type { Session } from "../../apply/session.js";
import { unitsOf } from "../../diff/own.js";
import { kindOf } from "../../kinds/index.js";
import { manifestAlone, withManifest } from "../../manifest/edit/deleteManifests.js";
import { type ProjectAtCommit, short } from "../../manifest/git/earlierProject.js";
import { type LoadedProject, loadProject } from "../../manifest/project.js";
import type { Resource } from "../../manifest/resource.js";
import { type Address, formatAddress } from "../../model/address.js";
import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { say } from "../../words/say.js";
import { type ChangingRun, candidateOf, changingRun, earlierOf, named } from "./before.js";
import { unknownTarget, writable } from "./diagnostics.js";
import { type Accepted, type AcceptRequest, type AcceptTarget, planAndNames } from "./drift.js";
import type { OutdatedManifest } from "./edit/write.js";
import type { NameOf } from "./edit/written.js";
import { type AcceptedFile, type AcceptedObject, type WrittenFiles, writtenInto } from "./files.js";
import { joinedRestores, manifestWith, type Restored } from "./restored.js";
import {
  type EarlierManifests,
  type Findings,
  manifestAt,
  readingOnce,
  topFieldOf,
  valuesBefore,
} from "./valuesBefore.js";

/** What a restore is asked for with. */
export interface RestoreRequest extends Pick<AcceptRequest, "progress" | "request"> {
  /** Reads the project as a commit has it. */
  readonly projectAt: (commit: string) => Promise<Checked<ProjectAtCommit | null>>;
  readonly targets: readonly AcceptTarget[];
  /** The run before which the values are asked for; null for the newest that changed an object. */
  readonly run: string | null;
}

/**
 * The files of a project with what objects had before a run. Writes nothing, neither to the tenant nor to a file or the
 * store. Null where an error leaves no answer.
 */
export async function restoreValues(
  order: RestoreRequest,
  session: Session,
): Promise<Checked<Accepted | null>> {
  const { request, targets } = order;
  const project = await loadProject(request.project.manifests);
  const told = project.diagnostics.map(({ diagnostic }) => diagnostic);
  if (hasErrors(told)) return { value: null, diagnostics: told };
  const unknown = await unknownAmong(order, project.resources, session.store);
  if (unknown.length > 0) return { value: null, diagnostics: unknown };

  const addresses = new Set(project.resources.map(({ address }) => formatAddress(address)));
  const present = targets.filter(({ address }) => addresses.has(formatAddress(address)));
  const made = await planAndNames({ ...order, targets: present, from: null }, session);
  if (made.value === null) return { value: null, diagnostics: made.diagnostics };
  const { plan, naming, snapshot, tenant } = made.value;
  const { store } = session;
  const resourcesAt = readingOnce(order.projectAt);
  const left: Diagnostic[] =
    store.history === null ? [say("state/no-history#accept", { name: store.name })] : [];
  const notes: Diagnostic[] = [...made.diagnostics];
  const restored: Restored[] = [];
  const deleted: DeletedObject[] = [];
  const history = await historyOf(store, snapshot, EVERYTHING);
  const earlier = { request, resourcesAt };
  const findings = { tenant, snapshot, left, notes };
  for (const target of store.history === null ? [] : targets) {
    const name = formatAddress(target.address);
    const resource = project.resources.find((one) => formatAddress(one.address) === name);
    if (resource === undefined) {
      const found = deletedBy(history, target, order.run);
      if (found !== null) deleted.push(found);
      continue;
    }
    const field = topFieldOf(target);
    const change = changingRun(recordsAbout(history, name), order.run, field);
    const { address, place } = resource;
    if (change === null) {
      const values = { what: field === null ? name : `${name}#${field}`, name, run: order.run ?? "" };
      left.push(say(order.run === null ? "accept/no-run#any" : "accept/no-run#named", values, place([])));
    } else if (change.step.action === "create")
      left.push(say("accept/not-restored#created", { address, run: named(change.record) }, place([])));
    else restored.push(await valuesBefore({ resource, target, change }, earlier, findings));
  }

  const correction = (nameOf: NameOf) =>
    joinedRestores(restored).map((one) => {
      const step = plan.steps.find(
        ({ address }) => formatAddress(address) === formatAddress(one.resource.address),
      );
      return manifestWith(one, { ...one.meanings, ...step?.managed.meanings }, nameOf);
    });
  const { made: corrected, meanings } = await naming(correction);
  const changed = corrected.flatMap((one): readonly OutdatedManifest[] => {
    const corrections = writable(one.resource, one.corrections, left);
    return corrections.length === 0
      ? []
      : [{ ...one, corrections, meanings: { ...meanings, ...one.meanings } }];
  });
  const written = writtenInto(project, changed, []);
  left.push(...written.left);
  const { files, objects } = await manifestsBack(deleted, project, written, earlier, findings);
  // What a restore means for people is a question to the plan that follows.
  const access = { plan: { ...plan, steps: [], impact: null }, findings: [] };
  return { value: { files, objects, left, access }, diagnostics: notes };
}

const EVERYTHING = { about: null, since: null };

/** What is wrong with the targets: one without a manifest must be of an object that a run deleted. */
async function unknownAmong(
  { targets, run }: RestoreRequest,
  resources: readonly Resource[],
  store: Session["store"],
): Promise<readonly Diagnostic[]> {
  const faults = targets.map((target) => ({
    target,
    told: unknownTarget(target.address, target.field, resources),
  }));
  if (faults.every(({ told }) => told.length === 0)) return [];
  const history = await historyOf(store, (await store.read()).snapshot, EVERYTHING);
  return faults.flatMap(({ target, told }) =>
    told.length > 0 && deletedBy(history, target, run) !== null ? [] : told,
  );
}

/** An object without a manifest, and the run that deleted it. */
interface DeletedObject {
  readonly address: Address;
  readonly change: ChangingRun;
}

/** The run that deleted the object of a target which no manifest describes; null where none did. */
function deletedBy(
  history: readonly FoundRecord[],
  { address, field }: AcceptTarget,
  run: string | null,
): DeletedObject | null {
  if (field !== null) return null;
  const change = changingRun(recordsAbout(history, formatAddress(address)), run, null);
  return change?.step.action === "delete" && change.step.outcome === "done" ? { address, change } : null;
}

/** Puts the manifests of deleted objects back into their files, as the last commit that had them wrote them. */
async function manifestsBack(
  deleted: readonly DeletedObject[],
  project: Pick<LoadedProject, "sources">,
  written: Pick<WrittenFiles, "files" | "objects">,
  earlier: EarlierManifests,
  findings: Findings,
): Promise<Pick<WrittenFiles, "files" | "objects">> {
  const files = new Map(written.files.map((one) => [one.file, one]));
  const objects: AcceptedObject[] = [...written.objects];
  for (const one of deleted) {
    const found = await manifestOf(one, earlier, findings);
    if (found === null) continue;
    const { file, text } = found;
    const now = files.get(file) ?? asItIs(file, project);
    files.set(file, { ...now, after: withManifest(now.after ?? "", text) });
    objects.push({ address: one.address, fields: ["its manifest"], isDeleted: false });
  }
  return { files: [...files.values()], objects };
}

function asItIs(file: string, { sources }: Pick<LoadedProject, "sources">): AcceptedFile {
  const before = sources.find((source) => source.file === file)?.text ?? null;
  return { file, before, after: before };
}

/** The manifest that an object had before the run that deleted it, and its file; null where no commit shows it. */
async function manifestOf(
  { address, change }: DeletedObject,
  earlier: EarlierManifests,
  { tenant, snapshot, left, notes }: Findings,
): Promise<{ readonly file: string; readonly text: string } | null> {
  const { record, step, commits } = change;
  const run = named(record);
  const missing: Diagnostic[] = [];
  for (const commit of [...commits].reverse()) {
    const found = await manifestAt(address, commit, earlier, { tenant, snapshot });
    missing.push(...found.diagnostics);
    if (found.value === null) continue;
    const { source, resolved, commit: whole } = found.value;
    const text = source === undefined ? null : manifestAlone(source.text, address);
    if (source === undefined || text === null || /\.json$/i.test(source.file)) {
      left.push(say("accept/not-restored#notAlone", { address, commit: short(whole), whole }));
      return null;
    }
    const { shape } = kindOf(address);
    const candidate = resolved === null ? null : candidateOf(resolved, whole);
    const secret = snapshot?.history?.secret ?? "";
    const unproved = unitsOf(shape).filter(
      (unit) =>
        unit.members.some((name) => candidate?.owned?.includes(name) ?? true) &&
        (candidate === null || !earlierOf(unit, step, [candidate], shape, secret).isProved),
    );
    const what = `${formatAddress(address)}: its manifest from ${short(whole)}, as before ${run}, which deleted it`;
    const fields = unproved.map(({ name }) => name);
    notes.push(
      fields.length === 0
        ? say("accept/restored#manifest", { what, id: record.run })
        : say("accept/not-proved#manifest", { what, fields, id: record.run }),
    );
    return { file: source.file, text };
  }
  const unsaid = say("accept/no-commit#ofDelete", { address, run, id: record.run });
  left.push(...(missing.length > 0 ? missing : [unsaid]));
  return null;
}
