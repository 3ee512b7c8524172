import { resolve } from "node:path";
import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { isObject, type Json } from "../../model/json.js";
import type { GitEnvironment } from "../../model/variables.js";
import { quote } from "../../words/quote.js";
import { say } from "../../words/say.js";
import { contextsIn, PROJECT_FILES, settingsOfContext } from "../contexts.js";
import { readDocument } from "../document.js";
import { expansionLimitsIn } from "../expand/budget.js";
import { isWithin, readSources } from "../files.js";
import type { AppNames } from "../references.js";
import type { Source } from "../source.js";
import { NO_VOCABULARY, readVocabulary, type Vocabulary, withValues } from "../vocabulary.js";
import { type Authorship, authorshipSince } from "./authorship.js";
import { commitTree } from "./commitTree.js";
import { decidingPathsIn } from "./decidingFiles.js";
import { findCommit, quiet } from "./findCommit.js";
import { FETCH_FILES, findCheckout, type Git, insideOf, openGit } from "./git.js";
import { baseSince, listAt, type TreeEntry } from "./history.js";

/** A project as the commit has it that a change is compared with: plain data, of which nothing was executed. */
export interface EarlierProject {
  /** As the operator named it. */
  readonly ref: string;
  /** The merge base of it and HEAD, or before a merge. */
  readonly commit: string;
  /** Every text that the project read its manifests from. */
  readonly sources: readonly Source[];
  /** What its project file names: apps, and the files of its named values. */
  readonly vocabulary: Vocabulary;
  /** What its project file decides about objects without a manifest: `removed:`, and `prune:`. */
  readonly removed: readonly EarlierRemoval[];
  readonly prunes: boolean;
  /** Whether all of it could be read; otherwise nothing counts as removed. */
  readonly isComplete: boolean;
  /** Who wrote the lines that changed since then. */
  readonly authorship: Authorship;
}

/** A line of `removed:`, as a commit has it. */
export interface EarlierRemoval {
  readonly address: string;
  readonly key: string | null;
  readonly decision: string;
}

/** The manifests of a project as one commit has them. */
export type ProjectAtCommit = Pick<EarlierProject, "commit" | "sources" | "vocabulary" | "isComplete">;

/**
 * Reads the project of a folder as it was where a change began. Null, with what to do, where that commit is not known
 * here. A commit without a project file had no project, and so no manifest of it was removed; the same is true of a
 * commit without the context of this run.
 */
export async function readEarlierProject(
  root: string,
  ref: string,
  environment: GitEnvironment,
  context: string | null = null,
): Promise<Checked<EarlierProject | null>> {
  const checkout = findCheckout(root);
  if (checkout === null) return { value: null, diagnostics: [say("since/no-checkout#here")] };
  const git = openGit(checkout, environment);
  const base = await baseSince(git, ref);
  if (base.value === null) return { value: null, diagnostics: base.diagnostics };
  const commit = base.value;
  const inside = insideOf(checkout, root);
  const authorship = await authorshipSince(git, commit, inside);
  const empty: EarlierProject = { ref, commit, ...NOTHING, isComplete: true, authorship };
  const read = await readCommit(git, commit, inside, root, context);
  const at = { commit: short(commit), context: String(context), fetch: FETCH_FILES };
  if (read === "no project") return { value: empty, diagnostics: [say("since/no-project#noProject", at)] };
  if (read === "no such context")
    return {
      value: empty,
      diagnostics: [say(context === null ? "since/no-context#all" : "since/no-context#one", at)],
    };
  if (read === null)
    return { value: { ...empty, isComplete: false }, diagnostics: [say("since/incomplete#notHere", at)] };
  const { faults, ...project } = read;
  const warnings = faults.map((fault) => about(commit, fault));
  return { value: { ...empty, ...project }, diagnostics: warnings };
}

/**
 * Reads the project of a folder as one commit has it, which a hash names, or what git makes of one such as `HASH^`. Null,
 * with what to do, where this checkout does not have it; without manifests where the project did not exist yet.
 */
export async function readProjectAt(
  root: string,
  name: string,
  environment: GitEnvironment,
  context: string | null,
): Promise<Checked<ProjectAtCommit | null>> {
  const checkout = findCheckout(root);
  if (checkout === null) return { value: null, diagnostics: [say("accept/no-commit#outsideGit")] };
  const git = openGit(checkout, environment);
  const found = await findCommit(quiet(git), name);
  if (found.as !== "commit") {
    const diagnostic =
      found.as === "unknown"
        ? say("accept/no-commit#unknown", { name, fetch: found.fetch })
        : say("accept/no-commit#noCheckout", { name });
    return { value: null, diagnostics: [diagnostic] };
  }
  const { commit } = found;
  const read = await readCommit(git, commit, insideOf(checkout, root), root, context);
  if (read === null) {
    const values = { commit: short(commit), fetch: FETCH_FILES };
    return { value: null, diagnostics: [say("accept/no-commit#partial", values)] };
  }
  return {
    value: { commit, ...(typeof read === "string" ? { ...NOTHING, isComplete: true } : read) },
    diagnostics: [],
  };
}

/** The project of a commit; null where this checkout lacks a part of it. */
async function readCommit(
  git: Git,
  commit: string,
  inside: string,
  root: string,
  context: string | null,
): Promise<Read | "no project" | "no such context" | null> {
  const listed = await listAt(git, commit, inside).then(
    (all) => all ?? [],
    () => null,
  );
  if (listed === null) return null;
  const file = PROJECT_FILES.find((name) => listed.some(({ path }) => path === name));
  return file === undefined ? "no project" : readAt(git, listed, resolve(root), file, context);
}

const NOTHING = { sources: [], vocabulary: NO_VOCABULARY, removed: [], prunes: false } as const;

interface Read extends Omit<EarlierProject, "ref" | "commit" | "authorship"> {
  readonly faults: readonly Diagnostic[];
}

/** Null where this checkout lacks a part of the commit. A project without contexts has one, which has no name. */
async function readAt(
  git: Git,
  listed: readonly TreeEntry[],
  root: string,
  file: string,
  context: string | null,
): Promise<Read | "no such context" | null> {
  const tree = await commitTree(git, listed, root).catch(() => null);
  if (tree === null) return null;
  const { value, diagnostics } = await readSources({ paths: [file], cwd: root }, tree);
  const document = value[0] === undefined ? null : readDocument(value[0], () => []);
  const unread = document?.diagnostics ?? diagnostics;
  if (hasErrors(unread)) return { ...NOTHING, isComplete: false, faults: unread };
  const written = document?.value?.value ?? {};
  const names = contextsIn(written);
  if (context === null ? names.length > 0 : !names.includes(context)) return "no such context";
  const settings =
    context === null || !isObject(written) ? written : settingsOfContext(written, context).value;
  const named = decidingPathsIn(settings);
  const paths = named.manifests.filter((path) => isWithin(root, resolve(root, path)));
  const read = await readSources({ paths, cwd: root }, tree);
  // Where a path of the project led nowhere, nothing can have been removed.
  const words = await readVocabulary(
    {
      cwd: root,
      apps: appsIn(settings),
      values: named.values
        .filter((path) => isWithin(root, resolve(root, path)))
        .map((path) => ({ path, place: null })),
      contexts: { names, current: context },
      limits: expansionLimitsIn(isObject(settings) ? settings.limits : undefined),
    },
    tree,
  );
  const missing = read.diagnostics.filter(({ code }) => code !== "file/missing" && code !== "manifest/none");
  const faults = [...missing, ...words.diagnostics];
  const decided = { removed: removedIn(settings), prunes: isObject(settings) && settings.prune === true };
  return {
    sources: withValues(read.value, words.sources),
    vocabulary: words.vocabulary,
    ...decided,
    isComplete: !hasErrors(faults),
    faults,
  };
}

function appsIn(settings: Json): AppNames {
  const apps = isObject(settings) ? settings.apps : undefined;
  if (!isObject(apps)) return {};
  return Object.fromEntries(
    Object.entries(apps).flatMap(([name, id]) => (typeof id === "string" ? [[name, id] as const] : [])),
  );
}

function removedIn(settings: Json): readonly EarlierRemoval[] {
  const removed = isObject(settings) ? settings.removed : undefined;
  if (!Array.isArray(removed)) return [];
  return removed.filter(isObject).map(({ address, key, then: decided }) => ({
    address: String(address),
    key: typeof key === "string" ? key : null,
    decision: String(decided),
  }));
}

/** A fault of a commit is not a fault of the working tree. It is not shown at a line, because the line may be gone. */
function about(commit: string, { code, message, severity, hint }: Diagnostic): Diagnostic {
  const isWhole = severity === "error";
  const said = `at ${short(commit)}: ${message}`;
  return quote(isWhole ? "since/incomplete" : code, "warning", said, {
    hint: isWhole ? NOTHING_REMOVED : (hint ?? ""),
  });
}

/** A commit as messages name it. */
export function short(commit: string): string {
  return commit.slice(0, 12);
}

const NOTHING_REMOVED = "remit cannot know what was removed since then, so nothing counts as removed.";
