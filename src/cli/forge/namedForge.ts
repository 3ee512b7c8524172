import type { ForgeName } from "../../forge/forge.js";
import type { Pipeline } from "../../forge/pipeline.js";
import type { Checked } from "../../model/diagnostic.js";
import { type Environment, readVariable } from "../../model/variables.js";
import { say } from "../../words/say.js";
import { tokenFrom } from "./pipelineFrom.js";

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
