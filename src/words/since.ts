import type { Section } from "./saying.js";

export const SINCE = {
  heading: "since: what a change is compared with",
  intro: "With `--since REF`, remit reads the project at the merge base of REF and HEAD.",
  rows: {
    "since/no-checkout": {
      severity: "error",
      title: "The project is in no checkout of git",
      help: "Run remit in a checkout, or without `--since`.",
      cases: {
        here: {
          message: "--since needs a checkout of git, and the project is in none",
          hint: "Run remit in a checkout, or without --since.",
        },
        noCheckout: {
          message: "remit approved needs a checkout of git, and the project is in none",
          hint: "Run remit in a checkout of the branch that is applied.",
        },
      },
    },
    "since/no-commit": {
      severity: "error",
      title: "The checkout has no commit yet",
      message: "this checkout has no commit yet, so nothing can be compared with one",
      hint: "Plan without --since.",
    },
    "since/unknown-ref": {
      severity: "error",
      title: "The checkout does not have that branch or commit",
      help: "Fetch it: the hint has the command.",
      cases: {
        unknownRef: {
          message: "this checkout does not have {ref}",
        },
        notCommit: {
          message: "{ref} leads to a {what} and not to a commit",
          hint: "Name a branch, a tag or a commit, such as origin/main.",
        },
      },
    },
    "since/ambiguous-ref": {
      severity: "error",
      title: "The name is that of two branches, or of a ref and of a commit",
      help: "Write the full name, such as `refs/heads/main`.",
      message: "{ref} may mean {meanings}",
      hint: "Write the full name, such as --since {first}.",
    },
    "since/shallow": {
      severity: "error",
      title: "The checkout is shallow and does not contain the merge base",
      message: "this checkout is shallow, and does not contain the merge base of {ref} and HEAD",
      hint: "Fetch more of the history: git fetch --unshallow, or git fetch --deepen=50. In a pipeline, raise the depth of the checkout.",
    },
    "since/unrelated": {
      severity: "error",
      title: "The two commits have no common commit",
      message: "{ref} and HEAD have no common commit",
      hint: "Name a branch or a commit that this branch comes from.",
    },
    "since/no-project": {
      severity: "warning",
      title: "The folder, or the commit that it is compared with, has no `remit.yaml`",
      help: "Nothing counts as removed since then.",
      cases: {
        noProject: {
          message: "at {commit}, this folder had no remit.yaml",
          hint: "The project did not exist yet, so nothing counts as removed since then.",
        },
        now: {
          message: "this folder has no remit.yaml, so nothing counts as removed",
          hint: "Without a remit.yaml, the paths are all that remit knows. Write one that names the manifests of the project.",
        },
      },
    },
    "since/no-context": {
      severity: "warning",
      title: "The commit that it is compared with does not have the context",
      hint: "It did not exist yet, so every manifest counts as added, and none as removed since then.",
      cases: {
        all: {
          message: "at {commit}, this project had contexts",
        },
        one: {
          message: "at {commit}, this project had no context {context}",
        },
      },
    },
    "since/incomplete": {
      severity: "warning",
      title: "A part of the project at that commit cannot be read, or has errors",
      help: "Nothing counts as removed since then. Use the state of the last apply.",
      cases: {
        incomplete: {
          message: "at {commit}: {place}{message}",
          hint: "remit cannot know what was removed since then, so nothing counts as removed.",
        },
        notHere: {
          message: "this checkout is a partial clone, and lacks files of {commit}",
          hint: "remit cannot know what was removed since then, so nothing counts as removed. To fetch the files: {fetch}",
        },
      },
    },
    "since/unclear": {
      severity: "warning",
      title: "A name in an earlier manifest is not clear any more",
      help: "Name its object with its key under `removed:`.",
      message:
        "{name} was edited or removed ({file}), and remit cannot tell which object it meant before: {message}",
      hint: "Nothing is done about it. To delete its object, add `{ address: {name}, key: KEY, then: delete }` under `removed:` in remit.yaml.",
    },
    "since/never-applied": {
      severity: "error",
      title: "`--since` names no commit, and neither does the state",
      message: "the state names no commit whose change was applied completely",
      hint: "Name a branch or a commit: --since origin/main. Once the whole project is applied, --since alone begins there.",
    },
  },
} as const satisfies Section;
