import packageFile from "../../../../package.json" with { type: "json" };

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

/** The pipelines of a project in that folder of its checkout: they call the reusable ones, and each job has its own rights. */
export function pipelineFiles(forge: PipelineForge, folder: string): readonly PipelineFile[] {
  const version = `v${packageFile.version}`;
  return forge === "github" ? githubFiles(folder, version) : [gitlabFile(folder, version)];
}

function githubFiles(folder: string, version: string): readonly PipelineFile[] {
  const suffix = folder === "" ? "" : `-${folder.replaceAll(/[^A-Za-z0-9]+/g, "-")}`;
  const project = folder === "" ? "" : `\n      folder: ${JSON.stringify(folder)}`;
  const file = (name: string, text: string): PipelineFile => ({
    path: `.github/workflows/remit-${name}${suffix}.yml`,
    text,
    ifTaken: "Rename or remove it, then run this again. Workflows with other names stay as they are.",
  });
  const uses = (name: string) => `${PUBLISHED}/.github/workflows/remit-${name}.yml@${version}`;
  return [
    file(
      "plan",
      `name: remit plan
# The workflow of the default branch runs, whatever the pull request changes: its files are only read.
on:
  pull_request_target: { branches: [main] }
permissions: {}
jobs:
  plan:
    permissions: { contents: read, id-token: write, pull-requests: write, statuses: write }
    uses: ${uses("plan")}
    # A secret of the repository. Without it, the state is not encrypted.
    secrets: { state-key: "\${{ secrets.REMIT_STATE_KEY }}" }
    with:
      server: \${{ vars.REMIT_SERVER }}
      client-id: \${{ vars.REMIT_PLAN_CLIENT_ID }}${project}
`,
    ),
    file(
      "apply",
      `name: remit apply
on:
  push: { branches: [main] }
  # By hand, where the tenant changed after the review: with the effect that the comment names.
  workflow_dispatch: { inputs: { expect: { description: The effect to apply } } }
permissions: {}
jobs:
  apply:
    permissions: { contents: write, id-token: write, pull-requests: write, statuses: write }
    uses: ${uses("apply")}
    # A secret of the repository. Without it, the state is not encrypted.
    secrets: { state-key: "\${{ secrets.REMIT_STATE_KEY }}" }
    with:
      server: \${{ vars.REMIT_SERVER }}
      client-id: \${{ vars.REMIT_APPLY_CLIENT_ID }}
      # Protect this environment in the settings of the repository: its reviewers approve each apply.
      environment: tenant
      expect: \${{ inputs.expect }}${project}
`,
    ),
    file(
      "drift",
      `name: remit drift
on:
  schedule: [{ cron: "17 4 * * *" }]
  workflow_dispatch:
permissions: {}
jobs:
  drift:
    permissions: { contents: read, id-token: write, issues: write }
    uses: ${uses("drift")}
    # A secret of the repository. Without it, the state is not encrypted.
    secrets: { state-key: "\${{ secrets.REMIT_STATE_KEY }}" }
    with:
      server: \${{ vars.REMIT_SERVER }}
      client-id: \${{ vars.REMIT_PLAN_CLIENT_ID }}
      issue: \${{ vars.REMIT_DRIFT_ISSUE }}${project}
`,
    ),
  ];
}

function gitlabFile(folder: string, version: string): PipelineFile {
  const project = folder === "" ? "" : `variables:\n  REMIT_FOLDER: ${JSON.stringify(folder)}\n`;
  const remote = `https://raw.githubusercontent.com/${PUBLISHED}/${version}/gitlab/remit.yml`;
  const variable =
    folder === "" ? "" : `, and ${JSON.stringify({ REMIT_FOLDER: folder })} to its \`variables\``;
  return {
    path: ".gitlab-ci.yml",
    ifTaken: `Add ${JSON.stringify({ remote })} to its \`include\`${variable}.`,
    text: `# Variables of the project: REMIT_SERVER, REMIT_PLAN_CLIENT_ID, REMIT_APPLY_CLIENT_ID, and REMIT_FORGE_TOKEN, a project
# token with the scope \`api\`. Protect the environment \`tenant\`: its deployers start each apply.
# With REMIT_DRIFT_ISSUE, the number of an issue, a note there lists what a nightly run found.
include:
  - remote: ${remote}
${project}`,
  };
}
