import { type FoundRecord, recordsAbout } from "../../apply/history.js";
import { unitsOf } from "../../diff/own.js";
import { kindOf } from "../../kinds/index.js";
import { manifestAlone, withManifest } from "../../manifest/edit/deleteManifests.js";
import { short } from "../../manifest/git/earlierProject.js";
import type { LoadedProject } from "../../manifest/project.js";
import { type Address, formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { say } from "../../words/say.js";
import { type ChangingRun, candidateOf, changingRun, earlierOf, named } from "./before.js";
import type { AcceptTarget } from "./drift.js";
import type { AcceptedFile, AcceptedObject, WrittenFiles } from "./files.js";
import { type EarlierManifests, type Findings, manifestAt } from "./valuesBefore.js";

/** An object without a manifest, and the run that deleted it. */
export interface DeletedObject {
  readonly address: Address;
  readonly change: ChangingRun;
}

/** The run that deleted the object of a target which no manifest describes; null where none did. */
export function deletedBy(
  history: readonly FoundRecord[],
  { address, field }: AcceptTarget,
  run: string | null,
): DeletedObject | null {
  if (field !== null) return null;
  const change = changingRun(recordsAbout(history, formatAddress(address)), run, null);
  return change?.step.action === "delete" && change.step.outcome === "done" ? { address, change } : null;
}

/** Puts the manifests of deleted objects back into their files, as the last commit that had them wrote them. */
export async function manifestsBack(
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
