import packageFile from "../../../package.json" with { type: "json" };
import { scalarText } from "../../manifest/edit/scalarText.js";

/** A forge whose pipelines `remit init --ci` writes. */
export type PipelineForge = "github" | "gitlab";

/** A file of a checkout: its path from the root, its text, and what to do where the checkout has such a file. */
export interface PipelineFile {
  readonly path: string;
  readonly text: string;
  readonly ifTaken: string;
}

/** Where the reusable workflows and the documents are published, at a tag for each version. */
export const PUBLISHED = "remit-cli/remit";

/** Where a project is in its checkout, whether it has contexts, and where its changes go. */
export interface PlacedProject {
  /** Empty for the root. */
  readonly folder: string;
  readonly hasContexts: boolean;
  /** The branch that changes are merged into; `main` where the checkout does not show it. */
  readonly branch: string;
}

/** The pipelines of a project: they call the reusable ones, and each job has its own rights. */
export function pipelineFiles(forge: PipelineForge, project: PlacedProject): readonly PipelineFile[] {
  return forge === "github" ? githubFiles(project) : [gitlabFile(project)];
}

const VERSION = packageFile.version;

/** A reusable workflow of this version. */
const called = (name: string) => `${PUBLISHED}/.github/workflows/remit-${name}.yml@v${VERSION}`;

/** The one writer of a name: any reader of YAML reads it as that text, in brackets and outside of them. */
function nameText(name: string): string {
  return scalarText(name, { isInFlow: true, quotes: "plain" });
}

/** The input `folder`, as GitHub reads it: `${{` would begin an expression. */
function folderInput(folder: string): string {
  return `folder: ${nameText(folder.replaceAll("${{", `\${{ '\${{' }}`))}`;
}

/** What differs between the callers of a project with one tenant, and with a job for each of its contexts. */
interface Tenants {
  /** What comes before the job that calls. */
  readonly before: string;
  readonly matrix: string;
  readonly stateKey: string;
  /** What names the tenant. */
  readonly tenant: string;
  /** The id of the client that plans or applies. */
  readonly client: (does: "PLAN" | "APPLY") => string;
  readonly environment: string;
  /** What a person who starts an apply also gives, and what a tenant's apply gets of the inputs. */
  readonly inputs: readonly Input[];
  readonly given: (input: Input) => string;
}

/** What a person gives who starts an apply. */
const MEANING = {
  context: "The context",
  since: "The commit to begin after",
  base: "The commit to begin after",
  commit: "The commit to apply",
} as const;
type Input = keyof typeof MEANING;

function inputsOf(names: readonly Input[]): string {
  return `{ ${names.map((name) => `${name}: { description: ${MEANING[name]} }`).join(", ")} }`;
}

const ONE_TENANT: Tenants = {
  before: "",
  matrix: "",
  stateKey: "secrets.REMIT_STATE_KEY",
  tenant: `server: \${{ vars.REMIT_SERVER }}`,
  client: (does) => `client-id: \${{ vars.REMIT_${does}_CLIENT_ID }}`,
  environment: "tenant",
  inputs: [],
  given: (input) => `inputs.${input}`,
};

function tenantsOfContexts(folder: string): Tenants {
  const place = folder === "" ? "" : `\n    with:\n      ${folderInput(folder)}`;
  return {
    before: `
  contexts:
    permissions: { contents: read }
    uses: ${called("contexts")}${place}`,
    matrix: `
    needs: contexts
    strategy: { fail-fast: false, matrix: "\${{ fromJSON(needs.contexts.outputs.matrix) }}" }`,
    stateKey: "secrets[format('REMIT_STATE_KEY_{0}', matrix.variable)]",
    tenant: `context: \${{ matrix.context }}`,
    client: (does) => `client-id: \${{ vars[format('REMIT_${does}_CLIENT_ID_{0}', matrix.variable)] }}`,
    environment: `\${{ matrix.context }}`,
    inputs: ["context"],
    given: (input) => `inputs.context == matrix.context && inputs.${input} || ''`,
  };
}

function githubFiles({ folder, hasContexts, branch }: PlacedProject): readonly PipelineFile[] {
  const suffix = folder === "" ? "" : `-${folder.replaceAll(/[^A-Za-z0-9]+/g, "-")}`;
  const project = folder === "" ? "" : `\n      ${folderInput(folder)}`;
  const tenants = hasContexts ? tenantsOfContexts(folder) : ONE_TENANT;
  const file = (name: string, text: string): PipelineFile => ({
    path: `.github/workflows/remit-${name}${suffix}.yml`,
    text,
    ifTaken: "Rename or remove it, then run this again. Workflows with other names stay as they are.",
  });
  const secrets = `# A secret of the repository. Without it, the state is not encrypted.
    secrets: { state-key: "\${{ ${tenants.stateKey} }}" }`;
  const applySecrets = `# Secrets of the repository. Without the first, the state is not encrypted; without the other, evidence is not signed.
    secrets: { state-key: "\${{ ${tenants.stateKey} }}", evidence-key: "\${{ secrets.REMIT_EVIDENCE_KEY }}" }`;
  return [
    file(
      "plan",
      `name: remit plan
# The workflow of the default branch runs, whatever the pull request changes: its files are only read.
on:
  pull_request_target: { branches: [${onGithub(branch)}] }
permissions: {}
jobs:${tenants.before}
  plan:${tenants.matrix}
    permissions: { contents: read, id-token: write, pull-requests: write, statuses: write }
    uses: ${called("plan")}
    ${secrets}
    with:
      ${tenants.tenant}
      ${tenants.client("PLAN")}${project}
`,
    ),
    file(
      "apply",
      `name: remit apply
on:
  push: { branches: [${onGithub(branch)}] }
  # By hand for the first apply, with the commit to begin after.
  workflow_dispatch: { inputs: ${inputsOf([...tenants.inputs, "since"])} }
permissions: {}
jobs:${tenants.before}
  apply:${tenants.matrix}
    permissions: { actions: read, contents: write, id-token: write, pull-requests: write, statuses: write }
    uses: ${called("apply")}
    ${applySecrets}
    with:
      ${tenants.tenant}
      ${tenants.client("APPLY")}
      # Protect this environment in the settings of the repository: its reviewers approve each apply.
      environment: ${tenants.environment}
      since: \${{ ${tenants.given("since")} }}${project}
`,
    ),
    file(
      "manual",
      `name: remit manual
# By hand, for what the apply refuses: its message names both commits. The first job shows the plan.
on:
  workflow_dispatch: { inputs: ${inputsOf([...tenants.inputs, "base", "commit"])} }
permissions: {}
jobs:${tenants.before}
  manual:${tenants.matrix}
    permissions: { contents: write, id-token: write, pull-requests: write, statuses: write }
    uses: ${called("manual")}
    ${applySecrets}
    with:
      ${tenants.tenant}
      ${tenants.client("APPLY")}
      plan-${tenants.client("PLAN")}
      environment: ${tenants.environment}
      base: \${{ ${tenants.given("base")} }}
      commit: \${{ ${tenants.given("commit")} }}${project}
`,
    ),
    file(
      "drift",
      `name: remit drift
on:
  schedule: [{ cron: "17 4 * * *" }]
  workflow_dispatch:
permissions: {}
jobs:${tenants.before}
  drift:${tenants.matrix}
    permissions: { contents: read, id-token: write, issues: write }
    uses: ${called("drift")}
    ${secrets}
    with:
      ${tenants.tenant}
      ${tenants.client("PLAN")}
      issue: \${{ vars.REMIT_DRIFT_ISSUE }}${project}
`,
    ),
  ];
}

/** A branch as GitHub's filter of branches names it: `+` and `!` would have a meaning there, and `${{` is not allowed. */
function onGithub(branch: string): string {
  return nameText(branch.replace(/[+!]/g, "\\$&").replaceAll("${{", "$[{]{"));
}

/** The file that `remit contexts` writes; GitLab has no job that could list them while a pipeline runs. */
function matrixIn(folder: string): string {
  return `  # \`remit contexts --format gitlab > contexts.yml\` writes this file. Write it again when the contexts change.
  - local: ${nameText(`/${folder === "" ? "" : `${folder}/`}contexts.yml`)}
`;
}

function gitlabFile({ folder, hasContexts }: PlacedProject): PipelineFile {
  // GitLab would replace the names of variables in it.
  const named = { value: folder, expand: false };
  const project = folder === "" ? "" : `variables:\n  REMIT_FOLDER: ${JSON.stringify(named)}\n`;
  const remote = `https://raw.githubusercontent.com/${PUBLISHED}/v${VERSION}/gitlab/remit.yml`;
  const variable =
    folder === "" ? "" : `, and ${JSON.stringify({ REMIT_FOLDER: named })} to its \`variables\``;
  return {
    path: ".gitlab-ci.yml",
    ifTaken: `Add ${JSON.stringify({ remote })} to its \`include\`${variable}.`,
    text: `# Variables of the project: REMIT_SERVER, REMIT_PLAN_CLIENT_ID, REMIT_APPLY_CLIENT_ID, and REMIT_FORGE_TOKEN, a project
# token with the scope \`api\`. Protect the environment \`tenant\`: its deployers start each apply.
# With REMIT_DRIFT_ISSUE, the number of an issue, a note there lists what a nightly run found.
include:
  - remote: ${remote}
${hasContexts ? matrixIn(folder) : ""}${project}`,
  };
}
