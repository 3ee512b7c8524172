import type { Section } from "./saying.js";

export const FORGE = {
  heading: "forge: pull requests",
  intro: "What `remit comment` and `remit approved` say of the forge.",
  rows: {
    "forge/none": {
      severity: "error",
      title: "remit does not run in a pipeline of a forge",
      help: "Run it in a job of GitHub, GitLab, Gitea or Forgejo.",
      message: "remit does not run in a pipeline of GitHub, GitLab, Gitea or Forgejo",
      hint: "Run it in a job of the forge. To see the text, use `remit show PLAN --format markdown`.",
    },
    "forge/incomplete": {
      severity: "error",
      title: "The variables of the pipeline do not say where the forge is",
      help: "Set the variables that the message names.",
      cases: {
        named: {
          message: "{message}",
          hint: "Outside of a pipeline, set REMIT_FORGE and REMIT_FORGE_REPOSITORY, and REMIT_FORGE_URL for a forge of your own.",
        },
        incomplete: {
          message: "the variables of the pipeline do not say where the forge is: remit needs {names}",
          hint: "Run remit in a job of the forge, or set these variables.",
        },
      },
    },
    "forge/address": {
      severity: "error",
      title: "The forge's address cannot be used",
      help: "Correct REMIT_FORGE_URL, or the proxy.",
      message: "the forge's address cannot be used: {problem}",
      hint: "The pipeline names it, or REMIT_FORGE_URL.",
    },
    "forge/refused": {
      severity: "error",
      title: "The forge refused a request, or did not answer",
      help: "Give the job the permission that the hint names.",
      cases: {
        find: {
          message: "{message}",
          hint: "Nothing is approved. The job needs a token that may read pull requests and statuses.",
        },
        notTold: {
          severity: "warning",
          message: "the pull requests do not hear what waits: {why}",
          hint: "Give the job's token the right to write comments.",
        },
        permission: { message: "{message}", hint: "The token may not do this. {part}" },
        again: {
          message: "{message}",
          hint: "Run the job again. The text is in the job's summary, or on standard output.",
        },
      },
    },
    "forge/environment": {
      severity: "warning",
      title: "Which branches the protected environment takes jobs of",
      help: "Limit the environment to the branch that is applied, in the settings of the repository.",
      hint: limitOf,
      cases: {
        only: {
          severity: "note",
          message: "the environment {environment} takes only jobs of {branch}",
          hint: "A workflow that another branch changed cannot apply.",
        },
        more: { message: "the environment {environment} takes jobs of more than {branch}: {branches}" },
        every: {
          message:
            "the environment {environment} takes jobs of every branch, so a changed workflow can apply what was never merged",
        },
        unknown: {
          severity: "note",
          message: "the forge does not say which branches the environment {environment} takes jobs of",
        },
      },
    },
    "forge/same-name": {
      severity: "error",
      title: "Two of the files are for one project and tenant",
      message: "two of the files are the {name}",
      hint: "Name them: `remit comment eu=plan-eu.json us=plan-us.json`.",
    },
    "comment/in-checkout": {
      severity: "error",
      title: "A plan or a report is in the checkout, where every commit can put a file",
      message: "{file} {why}, and every commit can put a file there",
      hint: "Write plans and reports to the temporary folder of the runner: `remit plan --out $RUNNER_TEMP/plan.json`, or below `mktemp -d`.",
    },
    "comment/own-settings": {
      severity: "error",
      title: "The settings of the plan came from the change that it is about",
      message:
        "the settings of {file} came from {source}, which this change decides, so its status is a failure",
      hint: "Plan with the settings of the base: leave out --settings-from in a pipeline of the pull request, or name the base branch.",
    },
    "comment/other-commit": {
      severity: "error",
      title: "A plan or a report is not about the commit that the job is for",
      help: "Plan the head of the pull request, or a merge that has it as second parent, in a clean checkout.",
      cases: {
        otherCommit: {
          message: "{file} is about the commit {commit}, and this job is for {wanted}",
          hint: "Post what this job made of its own commit: the head of the pull request, or a merge with the head as second parent.",
        },
        unknownCommit: {
          message: "{file} does not say which commit it is about",
          hint: "Run remit in a checkout of git whose files are as they were committed. `git status --short` names the others.",
        },
      },
    },
    "report/malformed": {
      severity: "error",
      title: "The file is not the report of a plan or of a failed run",
      help: "Write one with `remit plan --report json=FILE`.",
      cases: {
        failure: {
          message: "this is not the report of a failed run: {why}",
          hint: "Write one with `remit plan --report json=run.json`.",
        },
        plan: {
          message: "this is not the report of a plan: {why}",
          hint: "Write one with `remit plan --refresh-only --unmanaged --report json=night.json`.",
        },
        unnamedServer: {
          message: "{file} names no server, so remit does not know which comment it belongs to",
          hint: "Set REMIT_SERVER in the job.",
        },
      },
    },
    "outcome/malformed": {
      severity: "error",
      title: "The file is not an outcome of an apply",
      message: "this is not an outcome: {why}",
      hint: "Write one with `remit apply --report json=outcome.json`.",
    },
    "approved/no-pull-request": {
      severity: "error",
      title: "A commit was not merged by one pull request",
      help: "Apply it from a protected job, without `--expect`.",
      exit: "refused",
      message: "{commit} was not merged by one pull request, so no review approved it",
      hint: "{rebased}Apply it with the manual job: it shows the plan first, and waits for the reviewers of the protected environment.",
    },
    "approved/no-status": {
      severity: "error",
      title: "The head of the pull request has no status of a plan",
      help: "Plan the head with `remit comment` before the merge.",
      exit: "refused",
      message:
        "#{number} has no status {context} on {commit} from before its merge, so remit does not know what was reviewed",
      hint: "{plan} Apply it with the manual job: it shows the plan first, and waits for the reviewers of the protected environment.",
    },
    "approved/other-author": {
      severity: "error",
      title: "Another account wrote the status of the plan",
      exit: "refused",
      message: "the status {context} of #{number} was written by {author}, and {login} plans",
      hint: "Name the account of the plan job with --author, if it is another one. Apply it with the manual job: it shows the plan first, and waits for the reviewers of the protected environment.",
    },
    "approved/not-applicable": {
      severity: "error",
      title: "The status says that the plan could not be applied",
      exit: "refused",
      message:
        "the status {context} of #{number} says that its plan could not be applied, or contains no effect",
      hint: "Apply it with the manual job: it shows the plan first, and waits for the reviewers of the protected environment.",
    },
    "approved/no-account": {
      severity: "error",
      title: "The forge does not say whose token the job has",
      exit: "refused",
      message: "the forge does not say whose token this is, so remit cannot tell its own statuses",
      hint: "Name the account of the plan job with --author.",
    },
    "approved/unknown-base": {
      severity: "error",
      title: "The last applied commit is not a commit before HEAD",
      exit: "refused",
      message: "{from} is not a commit before HEAD in this checkout",
      hint: "Fetch the whole history of the branch. If the branch was rewritten, apply it once from a protected job.",
    },
    "approved/no-state": {
      severity: "error",
      title: "The state does not say that anything of the project was ever applied",
      help: "Before the first apply, begin with `remit approved --since COMMIT`. Otherwise restore the state.",
      exit: "refused",
      message: "the state does not say that anything of this project was ever applied",
      hint: "{begin} If something was, the state is lost or is another one: restore it first.",
    },
    "approved/unknown-history": {
      severity: "error",
      title: "No status of the forge shows which commit was applied last",
      help: "Start the apply job with `since:` and the last commit that was applied completely.",
      exit: "refused",
      message:
        "no status remit/apply shows which commit was applied last, in the newest {most} commits that change this project or in all there are",
      hint: "The state and the operator name {from}. If that was applied completely, start the apply job with since: {from}.",
    },
    "approved/applied-before": {
      severity: "warning",
      title: "Commits that were applied already are not applied again",
      help: "The state, or `--since`, names an earlier commit. Restore the state where it was moved back.",
      exit: "refused",
      message: "{commit} and the commits before it were applied already, and are not applied again",
      hint: "Their search began after {from}. The status remit/apply of {commit} is a success.",
    },
    "approved/second-effect": {
      severity: "error",
      title: "The merged head was planned with two effects",
      help: "Apply it by hand, from a protected job. Before a merge, a push asks for a new review.",
      exit: "refused",
      message:
        "{commit}, the head of #{number}, was planned with the effect {first} first, and with {last} later",
      hint: "Apply it with the manual job: it shows the plan first, and waits for the reviewers of the protected environment.",
    },
    "approved/stale-approval": {
      severity: "error",
      title: "There are approvals, and none is of the effect that was merged",
      help: "Approve the merged head, where the forge takes that, or apply it by hand, from a protected job.",
      exit: "refused",
      message: "no approval of #{number} is of the effect that its merged head was planned with: {names,}",
      hint: "Someone who may approve #{number} can also approve its merged head now, where the forge takes that. Apply it with the manual job: it shows the plan first, and waits for the reviewers of the protected environment.",
    },
    "approved/unknown-times": {
      severity: "error",
      title: "The forge does not say when a pull request was planned or merged",
      exit: "refused",
      message:
        "the forge does not say when #{number} was merged, or when it was planned, so remit does not know what was reviewed",
      hint: "Apply it with the manual job: it shows the plan first, and waits for the reviewers of the protected environment.",
    },
    "approved/one-head": {
      severity: "error",
      title: "Two open pull requests have the same head",
      exit: "refused",
      message: "{names} have the same head, {commit}, so its status does not say which of them was reviewed",
      hint: "Close one of them, or push a commit to one. Then run the job again.",
    },
    "approved/other-branch": {
      severity: "error",
      title: "The commit that is checked out is not on the branch that is applied",
      help: "Merge the change, and check the branch out. To apply another branch, set `REMIT_BRANCH` in the protected environment.",
      exit: "refused",
      message: "{branch} is the branch that is applied, and {why}",
      hint: "Merge the change into {branch}, and check that branch out with its whole history. To apply another branch, set the variable REMIT_BRANCH of the protected environment.",
    },
  },
} as const satisfies Section;

/** What to do on each forge, so that no workflow that another branch changed can apply. */
function limitOf({
  forge,
  environment,
  branch,
}: Readonly<Record<"environment" | "branch", string>> & {
  readonly forge: "github" | "gitlab" | "gitea";
}): string {
  switch (forge) {
    case "github":
      return `Limit the environment ${environment} to the branch ${branch}, in the settings of the repository. The right \`actions: read\` lets remit see it.`;
    case "gitlab":
      return `Protect the environment ${environment}, the branch ${branch} and the variables of the client that applies: other branches then get none of them.`;
    case "gitea":
      return `Gitea gives its secrets to every branch. Let only those push branches who may also apply ${branch}.`;
    default:
      return forge satisfies never;
  }
}
