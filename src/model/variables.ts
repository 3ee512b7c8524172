/** The environment, as it was given to the program. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The two variables that git gets of the environment. */
export interface GitEnvironment {
  readonly path: string | undefined;
  readonly home: string | undefined;
}

/** What an environment variable means, and whether its value must never be shown. */
interface Variable {
  readonly meaning: string;
  readonly secret: boolean;
}

/** Every environment variable that remit reads; `remit config` and docs/variables.md are made from this list. */
export const VARIABLES = {
  REMIT_SERVER: open("the address of the tenant, or `sandbox`"),
  CONDUCTORONE_SERVER_URL: open("as `REMIT_SERVER`"),
  CONDUCTORONE_TENANT_DOMAIN: open("the domain of the tenant, or its first word"),
  REMIT_INTERFACE: open("what the server offers: auto, full or core"),
  REMIT_STATE: open("where the state is kept: a path, or an address that docs/stores.md lists"),
  PGUSER: open("the user of a `postgres:` state whose address names none"),
  PGPASSWORD: secret("the password of that user"),
  REMIT_STATE_KEY: secret("the key that encrypts the state; older keys follow behind commas"),
  REMIT_EVIDENCE_KEY: secret("the Ed25519 key in PEM that signs what `apply --evidence` writes"),
  AWS_ACCESS_KEY_ID: open("the id of the keys for an `s3:` state"),
  AWS_SECRET_ACCESS_KEY: secret("the secret of those keys"),
  AWS_SESSION_TOKEN: secret("the token of keys that are lent for some time"),
  AWS_ROLE_ARN: open("the role whose keys AWS lends to a pipeline"),
  AWS_WEB_IDENTITY_TOKEN_FILE: open("the file of the identity token that remit shows to AWS for that"),
  AWS_ROLE_SESSION_NAME: open("the name of the session in AWS's log; `remit` if it is not set"),
  AWS_REGION: open("the region of the bucket, if the address names none"),
  AWS_DEFAULT_REGION: open("as `AWS_REGION`"),
  AWS_ENDPOINT_URL_S3: open("the server of the bucket, if it is not AWS"),
  AWS_ENDPOINT_URL: open("as `AWS_ENDPOINT_URL_S3`"),
  AWS_ENDPOINT_URL_STS: open("the server that lends keys, if it is not AWS"),
  TF_HTTP_USERNAME: open("the user of an `https:` state"),
  TF_HTTP_PASSWORD: secret("the password of that user"),
  TF_HTTP_UPDATE_METHOD: open("how an `https:` state is written; `POST` if it is not set"),
  TF_HTTP_LOCK_ADDRESS: open("where an `https:` state is locked, if not at its own address"),
  TF_HTTP_LOCK_METHOD: open("how it is locked; `LOCK` if it is not set"),
  TF_HTTP_UNLOCK_ADDRESS: open("where it is unlocked, if not where it is locked"),
  TF_HTTP_UNLOCK_METHOD: open("how it is unlocked; `UNLOCK` if it is not set"),
  REMIT_CONTEXT: open("the context of `remit.yaml` that a run is about"),
  REMIT_SETTINGS_FROM: open("the commit or the file whose settings are in force"),
  REMIT_CONCURRENCY: open("how many calls may be in flight at once"),
  REMIT_RATE: open("how many calls per second the service allows, where that is known"),
  REMIT_REQUEST_TIMEOUT: open("how long remit waits for one reply, for example 30s"),
  REMIT_CREATE_LAG: open("how long a list may not show a new object, for example 60s"),
  REMIT_OWNERS_LAG: open("how long the service may not show owners that were written, for example 10m"),
  REMIT_RETRIES: open("how often remit repeats a failed call"),
  REMIT_SANDBOX_TOKEN: secret("the token of the sandbox that `remit sandbox` serves"),
  REMIT_TOKEN: secret("a bearer token"),
  REMIT_CLIENT_ID: open("the id of an API client"),
  REMIT_CLIENT_SECRET: secret("the secret or the signing key of that client"),
  REMIT_OIDC_TOKEN: secret("an identity token that remit exchanges for a token of the tenant"),
  REMIT_OIDC_TOKEN_FILE: open(
    "the file of such a token; remit reads it for each exchange, because it rotates",
  ),
  CONDUCTORONE_ACCESS_TOKEN: secret("as `REMIT_TOKEN`"),
  CONDUCTORONE_CLIENT_ID: open("as `REMIT_CLIENT_ID`"),
  CONDUCTORONE_CLIENT_SECRET: secret("as `REMIT_CLIENT_SECRET`"),
  CONDUCTORONE_OIDC_TOKEN: secret("as `REMIT_OIDC_TOKEN`"),
  TFC_WORKLOAD_IDENTITY_TOKEN_CONDUCTORONE: secret("as `REMIT_OIDC_TOKEN`, set by HCP Terraform"),
  TFC_WORKLOAD_IDENTITY_TOKEN_C1: secret("as `REMIT_OIDC_TOKEN`, set by HCP Terraform"),
  TFC_WORKLOAD_IDENTITY_TOKEN: secret("as `REMIT_OIDC_TOKEN`, set by HCP Terraform"),
  CONE_CLIENT_ID: open("as `REMIT_CLIENT_ID`"),
  CONE_CLIENT_SECRET: secret("as `REMIT_CLIENT_SECRET`"),
  C1I_CLIENT_ID: open("as `REMIT_CLIENT_ID`"),
  C1I_CLIENT_SECRET: secret("as `REMIT_CLIENT_SECRET`"),
  ACTIONS_ID_TOKEN_REQUEST_URL: open("where a job of GitHub Actions gets an identity token"),
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret("the token for that request"),
  HTTPS_PROXY: secret("the proxy for https addresses; it may contain a password"),
  HTTP_PROXY: secret("the proxy for http addresses; it may contain a password"),
  ALL_PROXY: secret("the proxy for all other addresses; it may contain a password"),
  NO_PROXY: open("hosts that remit reaches without a proxy"),
  NODE_EXTRA_CA_CERTS: open("a file of certificates that node trusts in addition"),
  NO_COLOR: open("prints without colour, if it is not empty"),
  FORCE_COLOR: open("prints in colour, if it is not empty"),
  COLUMNS: open("the width of text that is not printed on a terminal"),
  CI: open("prints progress as lines, if it is not empty"),
  TERM: open("prints progress as lines, if it is `dumb`"),
  GITHUB_WORKSPACE: open("the folder of the checkout in GitHub Actions"),
  GITHUB_SERVER_URL: open("the address of GitHub in GitHub Actions"),
  GITHUB_REPOSITORY: open("the repository of a job of GitHub Actions"),
  GITHUB_RUN_ID: open("the run of that job; its address is shown to those who wait for its lock"),
  GITHUB_TOKEN: secret(
    "as `REMIT_FORGE_TOKEN`, on GitHub, Gitea and Forgejo; also for a `git:` state on the host of `GITHUB_SERVER_URL`",
  ),
  CI_JOB_TOKEN: secret(
    "as `REMIT_FORGE_TOKEN`, on GitLab: it may only read; also for a `git:` or `https:` state of that GitLab",
  ),
  CI_SERVER_URL: open("GitLab's pages; `CI_JOB_TOKEN` is sent only to their host"),
  REMIT_GIT_TOKEN: secret("pushes and fetches a `git:` state over https; sent only to its host"),
  GIT_SSL_CAINFO: open(
    "a file of the certificates that git trusts for a `git:` state over https, in the place of its own",
  ),
  SSH_AUTH_SOCK: open("the agent with the keys of a `git:` state over ssh"),
  GITHUB_ACTOR: open("who started that run"),
  CI_JOB_URL: open("the address of a job of GitLab, shown to those who wait for its lock"),
  GITLAB_USER_LOGIN: open("who started that job"),
  USER: open("who uses this machine"),
  GITHUB_STEP_SUMMARY: open("the file of a job's summary in GitHub Actions; remit adds its result"),
  CI_PROJECT_DIR: open("the folder of the checkout in GitLab CI"),
  REMIT_FORGE_TOKEN: secret("a token of the forge, for comments and statuses on pull requests"),
  REMIT_BRANCH: open(
    "the branch that is applied, where it is not the default branch: a variable of the protected environment",
  ),
  REMIT_FORGE_URL: open("the address of the forge's REST interface, where the pipeline does not name it"),
  REMIT_FORGE: open(
    "the forge that `remit approved` asks outside of a pipeline: github, gitlab, gitea or forgejo",
  ),
  REMIT_FORGE_REPOSITORY: open("the repository that it asks about there, such as `acme/access`"),
  FORGEJO_ACTIONS: open("that the pipeline is one of Forgejo"),
  GITEA_ACTIONS: open("that the pipeline is one of Gitea"),
  GITHUB_ACTIONS: open("that the pipeline is one of GitHub Actions"),
  GITLAB_CI: open("that the pipeline is one of GitLab"),
  GITHUB_API_URL: open("the forge's REST interface"),
  GITHUB_EVENT_PATH: open("the file with the event that started the pipeline"),
  GITHUB_SHA: open("the commit that the pipeline runs for"),
  GITHUB_REF: open("the branch or tag that the pipeline runs for"),
  CI_API_V4_URL: open("GitLab's REST interface"),
  CI_PROJECT_ID: open("the project on GitLab"),
  CI_PROJECT_PATH: open("the path of the project on GitLab"),
  CI_COMMIT_SHA: open("the commit that a pipeline of GitLab runs for"),
  CI_COMMIT_BRANCH: open("the branch that a pipeline of GitLab runs for"),
  CI_DEFAULT_BRANCH: open("the default branch of the project on GitLab"),
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: open("the branch that the merge request goes into"),
  CI_PIPELINE_ID: open("the id of a pipeline of GitLab"),
  CI_MERGE_REQUEST_EVENT_TYPE: open("whether a pipeline of GitLab runs for a merge train"),
  CI_MERGE_REQUEST_IID: open("the merge request that a pipeline of GitLab runs for"),
  CI_MERGE_REQUEST_PROJECT_ID: open("the project that the merge request belongs to"),
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: open("the project that the merge request comes from"),
  CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: open("the head of the merge request, where the commit is a merge"),
  OTEL_EXPORTER_OTLP_ENDPOINT: secret(
    "the collector to which remit sends the traces and figures of its runs",
  ),
  OTEL_EXPORTER_OTLP_HEADERS: secret(
    "headers for the collector, such as its token: name=value, with commas between",
  ),
  OTEL_EXPORTER_OTLP_TIMEOUT: open("the milliseconds that sending may take; at most 2000"),
  OTEL_SDK_DISABLED: open("`true` sends nothing"),
  OTEL_SERVICE_NAME: open("what the collector calls the program; `remit` if it is not set"),
  OTEL_RESOURCE_ATTRIBUTES: open("more attributes of the program: name=value, with commas between"),
  TRACEPARENT: open("the trace of the pipeline, to which the run's trace belongs"),
} as const satisfies Readonly<Record<string, Variable>>;

/** The name of a variable that remit reads. */
export type VariableName = keyof typeof VARIABLES;

/** A variable whose value must never be shown. */
export type SecretName = {
  [N in VariableName]: (typeof VARIABLES)[N]["secret"] extends true ? N : never;
}[VariableName];

/** A variable whose value may be shown. */
export type OpenName = Exclude<VariableName, SecretName>;

/** Whether the value of a variable may be shown. */
export function isOpenName(name: VariableName): name is OpenName {
  return !VARIABLES[name].secret;
}

/** What a context has of its own: the ends of its variables, and the variable that each one stands for. */
export const CONTEXT_VARIABLES = {
  TOKEN: "REMIT_TOKEN",
  CLIENT_ID: "REMIT_CLIENT_ID",
  CLIENT_SECRET: "REMIT_CLIENT_SECRET",
  OIDC_TOKEN: "REMIT_OIDC_TOKEN",
  OIDC_TOKEN_FILE: "REMIT_OIDC_TOKEN_FILE",
  STATE_KEY: "REMIT_STATE_KEY",
} as const satisfies Readonly<Record<string, VariableName>>;

/** A variable of one context, and the variable that it stands for. */
interface ContextVariable {
  readonly name: string;
  readonly as: VariableName;
}

/** The name of a context as a part of a variable's name. */
export function variablePart(context: string): string {
  return context.toUpperCase().replaceAll("-", "_");
}

/** The variables that only one context reads. */
export function variablesOf(context: string): readonly ContextVariable[] {
  const part = variablePart(context);
  return Object.entries(CONTEXT_VARIABLES).map(([end, as]) => ({
    name: ["REMIT_CONTEXT", part, end].join("_"),
    as,
  }));
}

/** The same environment without some variables, and with others by the names that they stand for. */
export function renameVariables(
  env: Environment,
  hidden: ReadonlySet<string>,
  renamed: readonly ContextVariable[],
): Environment {
  const rest = Object.entries(env).filter(([name]) => !hidden.has(name));
  return {
    ...Object.fromEntries(rest),
    ...Object.fromEntries(renamed.map(({ name, as }) => [as, env[name]])),
  };
}

/** An environment with one variable of another. */
export function onlyVariable(env: Environment, name: string): Environment {
  return { [name]: env[name] };
}

/** Whether a variable is set, also to nothing. */
export function isSetVariable(env: Environment, name: string): boolean {
  return env[name] !== undefined;
}

/** Programs write the names of these in lower case more often, so that form comes first. */
const LOWER_CASE_FIRST: ReadonlySet<VariableName> = new Set([
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
]);

/** The value of a variable without the space around it; undefined if it is not set or empty. */
export function readVariable(env: Environment, name: OpenName): string | undefined {
  return textOf(env, name);
}

/** The same of a secret. Only `cli/credentials/give.ts` may call it. */
export function readSecret(env: Environment, name: SecretName): string | undefined {
  return textOf(env, name);
}

/** Whether a variable has a value. */
export function hasVariable(env: Environment, name: VariableName): boolean {
  return textOf(env, name) !== undefined;
}

function textOf(env: Environment, name: VariableName): string | undefined {
  const lower = LOWER_CASE_FIRST.has(name) ? env[name.toLowerCase()] : undefined;
  const value = (lower ?? env[name])?.trim();
  return value === "" ? undefined : value;
}

/** Whether a variable is set, and nothing is in it: a mistake wherever a value is expected. */
export function isEmptyVariable(env: Environment, name: string): boolean {
  return env[name] !== undefined && env[name].trim() === "";
}

/** The part of an environment that git gets: where programs are, and where the user's configuration is. */
export function gitEnvironment({ PATH: path, HOME: home }: Environment): GitEnvironment {
  return { path, home };
}

/** Where a user's programs keep what they remember, as the XDG base directories say; null where it is unknown. */
export function stateFolder({ XDG_STATE_HOME: state, HOME: home }: Environment): string | null {
  if (state?.startsWith("/")) return `${state}/remit`;
  return home?.startsWith("/") ? `${home}/.local/state/remit` : null;
}

/** Whether a variable of any program may hold a secret, by its name. */
export function mayBeSecret(name: string): boolean {
  const known: Variable | undefined = Object.hasOwn(VARIABLES, name)
    ? VARIABLES[name as VariableName]
    : undefined;
  return known?.secret === true || /TOKEN|SECRET|PASSWORD|KEY/i.test(name);
}

function open(meaning: string) {
  return { meaning, secret: false } as const;
}

function secret(meaning: string) {
  return { meaning, secret: true } as const;
}
