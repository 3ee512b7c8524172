import { posix } from "node:path";
import { decidedProject, lastApplied } from "../../../cli/run/planning.js";
import type { Run } from "../../../cli/run/run.js";
import { PROJECT_FILES } from "../../../manifest/contexts.js";
import { decidingFiles } from "../../../manifest/git/decidingFiles.js";
import { quiet } from "../../../manifest/git/findCommit.js";
import { type Git, pathspecOf } from "../../../manifest/git/git.js";
import { type MainlineCommit, mainline, resolveCommit } from "../../../manifest/git/merges.js";
import { type Checked, type Diagnostic, refuse } from "../../../model/diagnostic.js";
import { say } from "../../../words/say.js";

/** The commits of a branch that are not applied yet, and the one that they come after. */
interface ToApply {
  readonly after: string;
  readonly commits: readonly MainlineCommit[];
}

/** Whether the forge shows that a commit was applied: its own status is a success. */
type WasApplied = (commit: string) => Promise<boolean>;

/** The most commits that the forge is asked about. */
const MOST_ASKED = 100;

/**
 * The commits to apply: those after the newest that the forge shows as applied. The state only says whether anything was ever
 * applied, and where to look first: moving it makes remit neither skip a commit nor apply one again. With `since`, the
 * operator says where to end the search.
 */
export async function commitsToApply(
  run: Run,
  git: Git,
  since: string | undefined,
  wasApplied: WasApplied,
): Promise<Checked<ToApply | null>> {
  const project = decidedProject(run.world, run.project);
  const head = await resolveCommit(git, "HEAD");
  if (head === null) return refuse(say("approved/unknown-base", { from: "HEAD" }));
  const from = since ?? (await lastApplied(run));
  const begun = await beginning(git, project.folder, head);
  if (from === null) return refuse(noState(begun?.before ?? null));
  const walk = (after: string) => deciding(git, project, { after, head, first: begun?.first ?? null });
  const named = await resolveCommit(git, from);
  const near = named === null ? null : await walk(named);
  if (named === null || near === null) return refuse(say("approved/unknown-base", { from }));
  const search = searchFor(wasApplied);
  const found = await search(near);
  if (found.as === "applied")
    return cut(near, found.commit, [
      say("approved/applied-before", { commit: found.commit.slice(0, 12), from: from.slice(0, 12) }),
    ]);
  if (since !== undefined) return found.as === "unknown" ? refuse(unknownHistory(from)) : whole(named, near);
  const isShown = async (commit: string) => (await search([{ commit, isWithin: true }])).as === "applied";
  if (found.as === "none" && (await isShown(named))) return whole(named, near);
  const origin = begun === null || found.as === "unknown" ? null : (begun.before ?? begun.first);
  const all = origin === null ? null : await walk(origin);
  if (begun === null || origin === null || all === null) return refuse(unknownHistory(from));
  const further = await search(all);
  if (further.as === "applied") return cut(all, further.commit, []);
  const isWhole = further.as === "none" && (begun.before !== null || (await isShown(origin)));
  return isWhole ? whole(origin, all) : refuse(unknownHistory(from));
}

function whole(after: string, commits: readonly MainlineCommit[]): Checked<ToApply> {
  return { value: { after, commits }, diagnostics: [] };
}

function cut(
  commits: readonly MainlineCommit[],
  after: string,
  diagnostics: readonly Diagnostic[],
): Checked<ToApply> {
  const place = commits.findIndex(({ commit }) => commit === after);
  return { value: { after, commits: commits.slice(place + 1) }, diagnostics };
}

type Search =
  | { readonly as: "applied"; readonly commit: string }
  | { readonly as: "none" }
  /** More commits than are asked about. */
  | { readonly as: "unknown" };

/** Looks for the newest applied commit, and asks about none twice. */
function searchFor(wasApplied: WasApplied) {
  const asked = new Set<string>();
  return async (commits: readonly Pick<MainlineCommit, "commit" | "isWithin">[]): Promise<Search> => {
    for (const { commit, isWithin } of commits.toReversed()) {
      if (!isWithin || asked.has(commit)) continue;
      if (asked.size === MOST_ASKED) return { as: "unknown" };
      asked.add(commit);
      if (await wasApplied(commit)) return { as: "applied", commit };
    }
    return { as: "none" };
  };
}

/** The commits after one, and which of them change deciding files. Before its first commit, a project names none. */
async function deciding(
  git: Git,
  project: Parameters<typeof decidingFiles>[2],
  { after, head, first }: { readonly after: string; readonly head: string; readonly first: string | null },
): Promise<readonly MainlineCommit[] | null> {
  const isBefore = first !== null && (await mainline(git, after, first, [])) !== null;
  const range = { after: isBefore ? first : after, head };
  const paths = await decidingFiles(git, range, project).catch(() => null);
  return paths === null ? null : mainline(git, after, head, paths);
}

/** Where a project begins on its branch: the commit that brought it, and the one before. */
interface Beginning {
  readonly first: string;
  /** Null where the checkout has none. */
  readonly before: string | null;
}

/** Where a project begins; null where it has no file of its own. */
async function beginning(git: Git, folder: string, head: string): Promise<Beginning | null> {
  const files = PROJECT_FILES.map((name) => pathspecOf(posix.join(folder, name)));
  const found = await quiet(git)("rev-list", "--first-parent", "--reverse", head, "--", ...files);
  const [first = ""] = (found ?? "").split("\n");
  return first === "" ? null : { first, before: await resolveCommit(git, `${first}^1`) };
}

function noState(before: string | null): Diagnostic {
  const begin =
    before === null
      ? "The first commit of this checkout has the project. Fetch the whole history, or apply that commit once by hand."
      : `If nothing of this project was ever applied, begin with \`remit approved --since ${before}\`: start the apply job with since: ${before}.`;
  return say("approved/no-state", { begin });
}

function unknownHistory(from: string): Diagnostic {
  return say("approved/unknown-history", { most: MOST_ASKED, from });
}
