import { columns } from "../../cli/print/columns.js";
import { endWith, printDiagnostics } from "../../cli/print/diagnostics.js";
import type { Context } from "../../cli/run/context.js";
import { openProject, type Project } from "../../cli/settings/project.js";
import type { World } from "../../cli/world/world.js";
import { yamlOf as toYaml } from "../../manifest/format/write.js";
import { type Checked, hasErrors } from "../../model/diagnostic.js";
import { variablePart } from "../../model/variables.js";
import { publicServer } from "../../plan/server.js";
import { jsonText } from "../../report/text/safeJson.js";
import { shownAddress } from "../../state/stores.js";
import { say } from "../../words/say.js";
import type { ContextsFlags } from "./usage.js";

/** Prints the contexts of the settings in force. */
export default async function contexts(this: Context, flags: ContextsFlags): Promise<number> {
  const { world } = this;
  const { value: project, diagnostics } = await openProject(world, flags, "in force", "none");
  if (hasErrors(diagnostics)) return endWith(world, "invalid settings", diagnostics);
  printDiagnostics(world, diagnostics);
  const printed = await textOf(world, project, flags);
  const isUsage = printed.diagnostics.some(({ code }) => code === "command/usage");
  const result = hasErrors(printed.diagnostics) ? (isUsage ? "wrong usage" : "invalid settings") : "done";
  world.stdout.write(printed.value);
  return endWith(world, result, printed.diagnostics);
}

async function textOf(world: World, project: Project, flags: ContextsFlags): Promise<Checked<string>> {
  const { format, namespace, image, window, source, apply, expect, mergedAt } = flags;
  if (format === "kubernetes")
    return (await import("./kubernetes/kubernetes.js")).kubernetesText(world, project, flags);
  const given = Object.entries({ namespace, image, window, source, expect, "merged-at": mergedAt }).find(
    ([, one]) => one !== undefined,
  );
  const flag = given?.[0] ?? (apply ? "apply" : null);
  if (flag !== null) {
    return { value: "", diagnostics: [say("command/usage#textOf", { flag })] };
  }
  const listed = project.tenants.map(({ context: name, server, state }): ListedContext => {
    const shown = server === null ? null : publicServer(server);
    return { name, server: shown, state: shownAddress(state) };
  });
  if (format === "text" && listed.length === 0) world.stderr.write("This project has no contexts.\n");
  return { value: FORMATS[format](listed), diagnostics: [] };
}

const FORMATS: Readonly<
  Record<Exclude<ContextsFlags["format"], "kubernetes">, (listed: readonly ListedContext[]) => string>
> = {
  text: (listed) =>
    listed.length === 0
      ? ""
      : columns([
          ["CONTEXT", "SERVER", "STATE"],
          ...listed.map(({ name, server, state }) => [name, server ?? "none", state]),
        ]),
  json: (listed) => jsonText({ contexts: listed }),
  github: githubMatrix,
  gitlab: gitlabMatrix,
};

/** A context, and where its tenant and its state are. */
interface ListedContext {
  readonly name: string;
  /** Null for none. */
  readonly server: string | null;
  readonly state: string;
}

/**
 * Contexts as the value of `strategy.matrix` on GitHub, each with its name as a part of a variable's name. A project without
 * contexts has one job, which names none.
 */
function githubMatrix(listed: readonly ListedContext[]): string {
  if (listed.length === 0) return `${JSON.stringify({ context: [""] })}\n`;
  const include = listed.map(({ name }) => ({ context: name, variable: variablePart(name) }));
  return `${JSON.stringify({ context: listed.map(({ name }) => name), include })}\n`;
}

/** The jobs that speak to a tenant, as the pipeline of remit for GitLab calls them. */
const GITLAB_JOBS = ["remit plan", "remit apply", "remit drift"];

/** Contexts as YAML that a pipeline of GitLab includes after that of remit. */
function gitlabMatrix(listed: readonly ListedContext[]): string {
  if (listed.length === 0) return "{}\n";
  const matrix = listed.map(({ name, server }) => ({
    REMIT_CONTEXT: name,
    REMIT_ENVIRONMENT: name,
    ...(server !== null && { REMIT_AUDIENCE: server }),
  }));
  return toYaml(Object.fromEntries(GITLAB_JOBS.map((job) => [job, { parallel: { matrix } }])));
}
