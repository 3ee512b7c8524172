import { yamlOf as toYaml } from "../../../manifest/format/yamlOf.js";

/** A context, and where its tenant and its state are. */
export interface ListedContext {
  readonly name: string;
  /** Null for none. */
  readonly server: string | null;
  readonly state: string;
}

/** Contexts as the value of `strategy.matrix` on GitHub; a project without contexts has one job, which names none. */
export function githubMatrix(listed: readonly ListedContext[]): string {
  const names = listed.length === 0 ? [""] : listed.map(({ name }) => name);
  return `${JSON.stringify({ context: names })}\n`;
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
