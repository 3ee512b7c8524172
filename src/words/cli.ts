import { COMMAND_ROWS } from "./command.js";
import type { Section } from "./saying.js";

export const CLI = {
  heading: "config, credentials, command, format: the run",
  rows: {
    "config/no-server": {
      severity: "error",
      title: "No server is named",
      help: "Set `server`, `REMIT_SERVER` or `--server`.",
      exit: "invalid",
      cases: {
        approved: {
          message: "no server is named, so remit does not know which tenant the plans are for",
          hint: "Set `server:` in remit.yaml, REMIT_SERVER or --server.",
        },
        queue: {
          message: "no server is named, so remit does not know which status the queue waits for",
          hint: "Set `server:` in remit.yaml, or REMIT_SERVER.",
        },
        tenant: {
          message: "no server is named",
          hint: "Set `server:` in remit.yaml, REMIT_SERVER or --server: the tenant's address, or `sandbox`; `remit init` starts a project.",
        },
        proposed: {
          message: "no server is in force: only the working tree's remit.yaml names one",
          hint: "Its server is in force once it is merged. Until then, set REMIT_SERVER or --server.",
        },
      },
    },
    "config/server": {
      severity: "error",
      title: "The server's address cannot be used",
      help: "Write it as `https://tenant.example`.",
      cases: {
        unusable: {
          message: "the server's address cannot be used: {problem}",
          hint: "Name the tenant: https://tenant.example. Without --server, the project begins with the sandbox.",
        },
        connect: { message: "the server's address cannot be used: {problem}", hint: "It comes from {from}." },
      },
    },
    "config/parent": {
      severity: "warning",
      title: "A `remit.yaml` in a folder above is not used",
      help: "remit uses the file of this folder or of this checkout, and none that other users may write. Run remit in its folder.",
      message: "remit does not use {path}: it {why}",
      hint: "If it is yours, run remit in its folder: remit -C {folder} …",
    },
    "config/settings-from": {
      severity: "error",
      title: "The settings that `--settings-from` names cannot be read",
      help: "Fetch the commit, or name another commit or a file.",
      message: "the settings cannot be read from {named!}: {why}",
    },
    "config/settings-default": {
      severity: "note",
      title: "The commit of `--settings-from` has no `remit.yaml`: the defaults are in force",
      help: "Merge the project file first, or name a settings file.",
      message: "{named} has no remit.yaml for this folder, so the defaults are in force",
      hint: "The trust settings of the working tree's remit.yaml are in force once it is merged.",
    },
    "config/no-base": {
      severity: "error",
      title: "The checkout does not have the base of the pull request, whose settings are in force",
      help: "Fetch the branch, or check out with its history: `fetch-depth: 0`, `GIT_DEPTH: 0`.",
      message:
        "the settings of {base}, the base of this pull request, are in force, and this checkout does not have its tip",
      hint: "Fetch it first, {ref}; or {depth}.",
    },
    "config/unreviewed": {
      severity: "error",
      title: "The pipeline does not say whether the settings of this checkout were reviewed",
      message: "{why}, so the settings of this checkout may be those of a change without a review",
      hint: "Name the settings in force: --settings-from origin/main for a change, --settings-from HEAD for what is merged; or a file outside of the checkout.",
    },
    "config/proxy": {
      severity: "error",
      title: "The address of the proxy cannot be used; it is not shown",
      message: "the proxy's address cannot be used: {problem}",
      hint: "Write HTTPS_PROXY as http://user:password@host:port, and percent-encode the special characters of the password: %25 for a %.",
    },
    "config/variable": {
      severity: "error",
      title: "A variable has the wrong form",
      help: "Correct it; `remit config` shows every setting.",
      hint: "Correct {name}, or remove it.",
      cases: {
        wrong: { message: "{message}" },
        emptyVariables: { message: "{name} is set, but empty" },
      },
    },
    "config/value": {
      severity: "error",
      title: "A setting has a value that it cannot have",
      help: "Correct it in `remit.yaml`; docs/settings.md lists what each setting takes.",
      message: "{name} is not {what}",
      hint: "Correct it, or remove it: without it, the default holds.",
    },
    "config/sandbox": {
      severity: "error",
      title: "The embedded service cannot start",
      help: "Check `sandbox:` in `remit.yaml`.",
      message: "the sandbox cannot be started: {message}",
      hint: "It is described in {from}.",
    },
    "credentials/none": {
      severity: "error",
      title: "No credentials are set",
      message: "No credentials for the server.",
      hint: "Set REMIT_TOKEN, or REMIT_CLIENT_ID and REMIT_CLIENT_SECRET.",
    },
    "credentials/empty": {
      severity: "error",
      title: "A variable of the credentials is set, but empty",
      help: "Give it a value, or remove it. A pipeline sets an empty variable for a secret that it does not have.",
      message: "{empty} is set, but empty.",
      hint: "Give {empty} a value, or remove it.",
    },
    "credentials/unconfirmed-server": {
      severity: "error",
      title: "Only the working tree names the server",
      help: "If you trust it, set `REMIT_SERVER` or `--server`, and for a state `REMIT_STATE` or `--state`. At a terminal, remit asks once about the server of the tenant.",
      exit: "invalid",
      message: "only remit.yaml of the working tree names {shown}, so remit does not send {what} there",
      hint: "If you trust it, give the address in {namedIn}.",
    },
    "credentials/clear-text": {
      severity: "error",
      title: "A password would be sent to another machine without encryption",
      message: "the connection to {shown} is not encrypted, so remit does not send {what} there",
      hint: "Leave out sslmode=disable, or connect to a socket or to this machine.",
    },
    "credentials/incomplete": {
      severity: "error",
      title: "The client id or the client secret is missing",
      help: "Set both.",
      message: "{given} is set, and {missing} is not.",
      hint: "Set {missing} too.",
    },
    "credentials/malformed": {
      severity: "error",
      title: "A token or key is damaged",
      help: "Copy it again.",
      cases: {
        key: { message: "The key in {name} cannot be read.", hint: "Copy the whole secret again." },
        token: {
          message: "{name} contains characters that a token cannot have.",
          hint: "Copy the token again.",
        },
      },
    },
    "credentials/other-tenant": {
      severity: "error",
      title: "The client belongs to another tenant than the server",
      help: "Correct the server, or use a client of that server. A client id that names its host is sent to that host only.",
      message: "{name} is a client of {host}, and the server is {hostname}. remit sends it to {host} only.",
      hint: "Correct the server, or use a client of that server.",
    },
    "terraform/unreadable": {
      severity: "error",
      title: "What `--from-terraform` names is not an output of `terraform show -json`",
      help: "The state file itself and a text output cannot be read: their form belongs to Terraform. `terraform show -json > state.json` also reads remote and encrypted states.",
      hint: "Write it with `terraform show -json > state.json`.",
      cases: {
        form: {
          message: "{file} cannot be read as a Terraform state: {why}",
        },
        terraformFrom: {
          message: "{shown} cannot be read as a Terraform state: {why}",
        },
      },
    },
    ...COMMAND_ROWS,
  },
} as const satisfies Section;
