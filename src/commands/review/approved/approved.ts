import { codeOf, unansweredCode } from "../../../cli/exitCode.js";
import { appliedBranch, describeRule, notOn } from "../../../cli/forge/appliedBranch.js";
import { connectForge } from "../../../cli/forge/connectForge.js";
import { namedForge } from "../../../cli/forge/namedForge.js";
import { folderInCheckout, nameOf } from "../../../cli/forge/nameOf.js";
import { pipelineOf } from "../../../cli/forge/pipelineOf.js";
import { printDiagnostics } from "../../../cli/print/diagnostics.js";
import type { Context } from "../../../cli/run/context.js";
import { type Run, withRun } from "../../../cli/run/run.js";
import type { World } from "../../../cli/world/world.js";
import type { Forge } from "../../../forge/forge.js";
import type { Pipeline } from "../../../forge/pipeline.js";
import { findCheckout, openGit } from "../../../manifest/git/git.js";
import { type Checked, type Diagnostic, hasErrors } from "../../../model/diagnostic.js";
import { gitEnvironment } from "../../../model/variables.js";
import { renderHeld } from "../../../report/forms/comment/held.js";
import { inline } from "../../../report/text/escape.js";
import { safeJson } from "../../../report/text/safeJson.js";
import { tameLine } from "../../../report/text/visible.js";
import { ApiError } from "../../../tenant/client/error.js";
import { say } from "../../../words/say.js";
import { type Approved, approvedMerges, wasApplied } from "../merges.js";
import { post } from "../post.js";
import { commitsToApply } from "./history.js";
import type { ApprovedFlags } from "./usage.js";

/** Prints the merges that the apply job may apply, each with its base and the effect that was reviewed. */
export default async function approved(this: Context, flags: ApprovedFlags): Promise<void> {
  const { world } = this;
  this.process.exitCode = await withRun(world, { command: "approved", flags, tenant: false }, async (run) => {
    const tell = (diagnostics: readonly Diagnostic[]) => printDiagnostics(world, world.stderr, diagnostics);
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
  const { server } = project.settings;
  const failed = (...diagnostics: readonly Diagnostic[]) => ({ value: null, diagnostics });
  if (server.value === null) return failed(noServer);
  const checkout = findCheckout(project.root);
  if (checkout === null) return failed(noCheckout);
  const git = openGit(checkout, gitEnvironment(world.env));
  const connected = await connectForge(world, pipeline, flags.verbose);
  if (connected.value === null) return failed(...connected.diagnostics);
  const { forge, close } = connected.value;
  try {
    const account = flags.author === undefined ? await forge.account() : { id: null, login: flags.author };
    if (account === null) return failed(noAccount);
    const tenant = { server: server.value, context: project.contexts.current };
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
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return failed(say("forge/refused#find", { message: error.message }));
  } finally {
    close();
  }
}

function print({ stdout }: World, { merges }: Approved, { format }: ApprovedFlags): void {
  if (format === "json") {
    stdout.write(safeJson(`${JSON.stringify(merges, null, 2)}\n`));
    return;
  }
  for (const { base, effect, commit, mergedAt, number } of merges)
    stdout.write(`${tameLine(`${base} ${effect} ${commit} ${mergedAt} #${number}`)}\n`);
}

const noServer: Diagnostic = say("config/no-server#approved");

const noAccount: Diagnostic = say("approved/no-account");

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
