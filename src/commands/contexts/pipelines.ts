import { yamlOf as toYaml } from "../../manifest/format/yamlOf.js";
import { variablePart } from "../../model/variables.js";

/** A context, and where its tenant and its state are. */
export interface ListedContext {
  readonly name: string;
  /** Null for none. */
  readonly server: string | null;
  readonly state: string;
}

/**
 * Contexts as the value of `strategy.matrix` on GitHub, each with its name as a part of a variable's name. A project without
 * contexts has one job, which names none.
 */
export function githubMatrix(listed: readonly ListedContext[]): string {
  if (listed.length === 0) return `${JSON.stringify({ context: [""] })}\n`;
  const include = listed.map(({ name }) => ({ context: name, variable: variablePart(name) }));
  return `${JSON.stringify({ context: listed.map(({ name }) => name), include })}\n`;
}

/** The jobs that speak to a tenant, as the pipeline of remit for GitLab calls them. */
const GITLAB_JOBS = ["remit plan", "remit apply", "remit drift"];

/** Contexts as YAML that a pipeline of GitLab includes after that of remit. */
export function gitlabMatrix(listed: readonly ListedContext[]): string {
  if (listed.length === 0) return "{}\n";
  const matrix = listed.map(({ name, server }) => ({
    REMIT_CONTEXT: name,
    REMIT_ENVIRONMENT: name,
    ...(server !== null && { REMIT_AUDIENCE: server }),
  }));
  return toYaml(Object.fromEntries(GITLAB_JOBS.map((job) => [job, { parallel: { matrix } }])));
}
