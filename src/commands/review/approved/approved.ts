import { codeOf, unansweredCode } from "../../../cli/exitCode.js";
import { withForge } from "../../../cli/forge/connectForge.js";
import { folderInCheckout, nameOf } from "../../../cli/forge/nameOf.js";
import { pipelineOf, tokenFrom } from "../../../cli/forge/pipelineFrom.js";
import { printDiagnostics } from "../../../cli/print/diagnostics.js";
import type { Context } from "../../../cli/run/context.js";
import { type Run, withRun } from "../../../cli/run/run.js";
import type { World } from "../../../cli/world/world.js";
import type { BranchRule, Forge, ForgeName } from "../../../forge/forge.js";
import type { Pipeline } from "../../../forge/pipeline.js";
import { findCheckout, type Git, openGit } from "../../../manifest/git/git.js";
import { mainline, resolveCommit } from "../../../manifest/git/merges.js";
import { type Checked, type Diagnostic, hasErrors } from "../../../model/diagnostic.js";
import { type Environment, gitEnvironment, readVariable } from "../../../model/variables.js";
import { renderHeld } from "../../../report/forms/comment/held.js";
import { inline } from "../../../report/text/escape.js";
import { jsonText } from "../../../report/text/safeJson.js";
import { tameLine } from "../../../report/text/visible.js";
import { ApiError } from "../../../tenant/client/error.js";
import { say } from "../../../words/say.js";
import { type Approved, approvedMerges, wasApplied } from "../merges.js";
import { post } from "../post.js";
import { commitsToApply } from "./history.js";
import type { ApprovedFlags } from "./usage.js";

/** Prints the merges that the apply job may apply, each with its base and the effect that was reviewed. */
export default async function approved(this: Context, flags: ApprovedFlags): Promise<number> {
  const { world } = this;
  return withRun(world, { command: "approved", flags, tenant: false }, async (run) => {
    const tell = (diagnostics: readonly Diagnostic[]) => printDiagnostics(world, diagnostics);
    const pipeline = await forgeFor(world);
    tell(pipeline.diagnostics);
    if (pipeline.value === null) return codeOf("wrong usage");
    const found = await find(run, pipeline.value, flags);
    tell(found.diagnostics);
    if (found.value === null) return unansweredCode(found.diagnostics);
    print(world, found.value, flags);
    const { refused, waiting } = found.value;
    if (refused === null) return codeOf("done");
    tell([refused.why]);
    world.stderr.write(`For the manual job: base: ${refused.base} and commit: ${refused.commit}\n`);
    for (const { number, commit } of waiting)
      world.stderr.write(
        `Waiting behind it: ${commit.slice(0, 12)}${number === null ? "" : ` (#${number})`}\n`,
      );
    return codeOf("not approved");
  });
}

/** The pipeline of this run; outside of one, the forge that the operator names. */
async function forgeFor(world: World): Promise<Checked<Pipeline | null>> {
  const pipeline = await pipelineOf(world);
  if (pipeline.value !== null) return pipeline;
  const named = namedForge(world.env);
  return named.value === null && named.diagnostics.length === 0 ? pipeline : named;
}

async function find(run: Run, pipeline: Pipeline, flags: ApprovedFlags): Promise<Checked<Approved | null>> {
  const { world, project } = run;
  const server = project.settings.server.value;
  const failed = (...diagnostics: readonly Diagnostic[]) => ({ value: null, diagnostics });
  if (server === null) return failed(say("config/no-server#approved"));
  const checkout = findCheckout(project.root);
  if (checkout === null) return failed(noCheckout);
  const git = openGit(checkout, gitEnvironment(world.env));
  const worked = await withForge(world, pipeline, flags.verbose, async (forge) => {
    const account = flags.author === undefined ? await forge.account() : { id: null, login: flags.author };
    if (account === null) return failed(say("approved/no-account"));
    const tenant = { server, context: project.contexts.current };
    const name = nameOf(folderInCheckout(project.root), pipeline.path, tenant);
    const branch = await appliedBranch(world.env, forge);
    const refusal = await notOn(git, branch);
    if (refusal !== null) return failed(refusal);
    const { environment } = flags;
    const rule =
      environment === undefined
        ? []
        : [describeRule(forge, environment, branch, await forge.branchRule(environment, branch))];
    if (hasErrors(rule)) return failed(...rule);
    const commits = await commitsToApply(run, git, flags.since, (commit) =>
      wasApplied(forge, commit, name, account),
    );
    const found = [...rule, ...commits.diagnostics];
    if (commits.value === null) return failed(...found);
    const value = await approvedMerges(forge, { branch, ...commits.value }, name, account);
    return { value, diagnostics: [...found, ...(flags.comment ? await tellHeld(forge, name, value) : [])] };
  });
  if (worked.as === "done") return worked.value;
  const isRefused = worked.as === "refused";
  return failed(isRefused ? say("forge/refused#find", { message: worked.error.message }) : worked.diagnostic);
}

function print({ stdout }: World, { merges }: Approved, { format }: ApprovedFlags): void {
  if (format === "json") {
    stdout.write(jsonText(merges));
    return;
  }
  for (const { base, effect, commit, mergedAt, number } of merges)
    stdout.write(`${tameLine(`${base} ${effect} ${commit} ${mergedAt} #${number}`)}\n`);
}

const noCheckout: Diagnostic = say("since/no-checkout#noCheckout");

/**
 * Writes on the pull request of the merge that is refused, and on those that wait behind it, in the comment that their
 * outcome gets later. Gives a warning where the forge does not take it.
 */
async function tellHeld(
  forge: Forge,
  name: string,
  { refused, waiting }: Approved,
): Promise<readonly Diagnostic[]> {
  if (refused === null) return [];
  try {
    for (const held of [refused, ...waiting]) {
      if (held.number === null) continue;
      const { line, text } = renderHeld({ name, refused, waiting }, held);
      const about = { about: "apply", names: [name], steps: new Map(), escaped: inline } as const;
      await post(forge, held.number, { ...about, line, text: () => text });
    }
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [say("forge/refused#notTold", { why: error.message })];
  }
}

/**
 * The branch that is applied: the default branch, as the forge gives it, or the one that REMIT_BRANCH names, a variable of the
 * protected environment. What is checked out, and the branch that the pipeline was started on, decide nothing.
 */
async function appliedBranch(env: Environment, forge: Forge): Promise<string> {
  return readVariable(env, "REMIT_BRANCH") ?? (await forge.defaultBranch());
}

/** Why HEAD is not a commit that a branch of the remote had as its tip; null where it is one. */
async function notOn(git: Git, branch: string): Promise<Diagnostic | null> {
  const ref = `refs/remotes/origin/${branch}`;
  const [tip, head] = [await resolveCommit(git, ref), await resolveCommit(git, "HEAD")];
  if (tip === null || head === null)
    return say("approved/other-branch", { branch, why: `this checkout does not have ${ref}` });
  const after = await mainline(git, head, tip, []);
  const isOn = after !== null && (after[0] === undefined ? head === tip : after[0].before === head);
  if (isOn) return null;
  return say("approved/other-branch", { branch, why: `HEAD, ${head.slice(0, 12)}, is not on ${ref}` });
}

/**
 * Says which branches an environment takes jobs of: only that stops a workflow that a branch changed. An error where the branch
 * that is applied is not one of them: more people may set a variable of the repository, and name any branch.
 */
function describeRule(
  { name }: Pick<Forge, "name">,
  environment: string,
  branch: string,
  rule: BranchRule,
): Diagnostic {
  const values = { forge: name, environment, branch };
  switch (rule.as) {
    case "some": {
      const { branches } = rule;
      if (!rule.isTaken)
        return say("approved/other-branch", {
          branch,
          why: `the environment ${environment} takes no jobs of it, but of: ${branches}`,
        });
      if (branches === branch) return say("forge/environment#only", values);
      return say("forge/environment#more", { ...values, branches });
    }
    case "every branch":
      return say("forge/environment#every", values);
    case "unknown":
      return say("forge/environment#unknown", values);
    default:
      return rule satisfies never;
  }
}

/** The forges by the names that the operator writes, and where the REST interface of each is, if that is one place. */
const FORGES: Readonly<Record<string, { readonly forge: ForgeName; readonly api: string | null }>> = {
  github: { forge: "github", api: "https://api.github.com" },
  gitlab: { forge: "gitlab", api: "https://gitlab.com/api/v4" },
  gitea: { forge: "gitea", api: null },
  forgejo: { forge: "gitea", api: null },
};

/**
 * The forge that the operator names outside of a pipeline, as one that runs for no change: in a pod, say. Null where no
 * variable names it. A checkout cannot name one, because the forge says what was approved.
 */
export function namedForge(env: Environment): Checked<Pipeline | null> {
  const [named, path] = [readVariable(env, "REMIT_FORGE"), readVariable(env, "REMIT_FORGE_REPOSITORY")];
  if (named === undefined && path === undefined) return { value: null, diagnostics: [] };
  const known = named !== undefined && Object.hasOwn(FORGES, named) ? FORGES[named] : undefined;
  if (known === undefined) return unusable(`REMIT_FORGE is not one of ${Object.keys(FORGES).join(", ")}`);
  if (path === undefined || !/^[^/\s]+(\/[^/\s]+)+$/.test(path))
    return unusable("REMIT_FORGE_REPOSITORY is not a repository, such as acme/access");
  const api = readVariable(env, "REMIT_FORGE_URL") ?? known.api;
  if (api === null || !URL.canParse(api))
    return unusable(`REMIT_FORGE_URL does not say where the REST interface of ${named} is`);
  const { forge } = known;
  const value: Pipeline = {
    forge,
    api,
    web: api === FORGES.github?.api ? "https://github.com" : new URL(api).origin,
    repository: path,
    path,
    commit: null,
    branch: null,
    defaultBranch: null,
    change: { as: "none" },
    run: null,
    pipeline: null,
    token: tokenFrom(env, null, api),
  };
  return { value, diagnostics: [] };
}

function unusable(message: string): Checked<null> {
  return { value: null, diagnostics: [say("forge/incomplete#named", { message })] };
}
