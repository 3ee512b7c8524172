import { dirname, resolve } from "node:path";
import { readSources } from "../../manifest/files.js";
import type { ProjectAtCommit } from "../../manifest/git/earlierProject.js";
import { FETCH_FILES } from "../../manifest/git/git.js";
import type { Source } from "../../manifest/source.js";
import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { gitEnvironment } from "../../model/variables.js";
import { withOwnGuards } from "../../plan/guards/own/inForce.js";
import type { OwnGuard } from "../../plan/guards/own/ownGuard.js";
import type { Request } from "../../plan/request.js";
import { quote } from "../../words/quote.js";
import { say } from "../../words/say.js";
import type { Project } from "../settings/project.js";
import type { World } from "../world/world.js";

/** The same request with the guards that teams wrote: those in force, and those that the working tree adds. Null with an error. */
export async function guarded(
  { value: request, diagnostics: told }: Checked<Request | null>,
  world: World,
  project: Project,
): Promise<Checked<Request | null>> {
  if (request === null) return { value: null, diagnostics: told };
  const tree = await treeGuards(project);
  const reviewed = await reviewedGuards(world, project);
  const read = [...told, ...tree.diagnostics, ...reviewed.diagnostics];
  if (hasErrors(read)) return { value: null, diagnostics: read };
  const asked = { context: project.contexts.current ?? "", evaluate: world.evaluate };
  const settings = withOwnGuards(
    request.rules.settings,
    { reviewed: reviewed.value, tree: tree.value },
    asked,
  );
  const manifests = settings.own.guards.some(({ readsLabels }) => readsLabels)
    ? await reviewedManifests(world, project)
    : { value: null, diagnostics: [] };
  const diagnostics = [...read, ...manifests.diagnostics];
  if (hasErrors(diagnostics)) return { value: null, diagnostics };
  const history = { ...request.history, reviewed: manifests.value };
  return { value: { ...request, history, rules: { ...request.rules, settings } }, diagnostics };
}

/** The project as the commit of the settings in force has it; null where they come from no commit. */
async function reviewedManifests(
  { env }: World,
  { root, trust: { from }, contexts }: Project,
): Promise<Checked<ProjectAtCommit | null>> {
  if (from?.commit == null) return { value: null, diagnostics: [] };
  const { readProjectAt } = await import("../../manifest/git/earlierProject.js");
  const { value } = await readProjectAt(root, from.commit, gitEnvironment(env), contexts.current);
  return { value, diagnostics: value === null ? [notHere("manifests", from.named)] : [] };
}

/** The guards that the working tree's own project file names. */
export async function treeGuards({ root, settings }: Project): Promise<Checked<readonly OwnGuard[]>> {
  const paths = settings.ownGuards.value.map((path) => resolve(root, path));
  if (paths.length === 0) return { value: [], diagnostics: [] };
  return guardsIn(await readSources({ paths, cwd: root, sought: "guard" }));
}

/** The guards of the settings in force; null where the working tree's own are in force. */
async function reviewedGuards(
  world: World,
  { root, trust: { from }, reviewedGuards: paths }: Project,
): Promise<Checked<readonly OwnGuard[] | null>> {
  if (from === null) return { value: null, diagnostics: [] };
  if (paths.length === 0) return { value: [], diagnostics: [] };
  const { named, commit } = from;
  // A file that the operator names may stand anywhere; its guards stand beside it.
  const cwd = commit === null ? dirname(resolve(world.cwd, named)) : root;
  const absolute = paths.map((path) => resolve(cwd, path));
  if (commit === null) return guardsIn(await readSources({ paths: absolute, cwd, sought: "guard" }), named);
  const { treeAt } = await import("../../manifest/git/commitTree.js");
  const tree = await treeAt(root, commit, gitEnvironment(world.env));
  if (tree === null) return { value: null, diagnostics: [notHere("guards", named)] };
  return guardsIn(await readSources({ paths: absolute, cwd, sought: "guard" }, tree), named);
}

async function guardsIn(
  { value: sources, diagnostics: unread }: Checked<readonly Source[]>,
  at: string | null = null,
): Promise<Checked<readonly OwnGuard[]>> {
  // Most projects have none.
  const { readGuards } = await import("../../plan/guards/own/document.js");
  const { value, diagnostics } = readGuards(sources);
  const all = [...unread, ...diagnostics];
  const told = at === null ? all : all.map((one) => ofReviewed(one, at));
  return { value: value.map(({ guard }) => guard), diagnostics: told };
}

/** A mistake in a file of the reviewed branch has no line in the working tree. */
function ofReviewed({ code, severity, message, hint }: Diagnostic, at: string): Diagnostic {
  return quote(code, severity, `at ${at}: ${message}`, hint === undefined ? {} : { hint });
}

function notHere(what: "guards" | "manifests", named: string): Diagnostic {
  return say("guard/unread", { what, named, fetch: FETCH_FILES });
}
