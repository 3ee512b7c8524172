import type { Section } from "./saying.js";

export const CLI = {
  heading: "config, credentials, command, format: the run",
  rows: {
    "config/no-server": {
      severity: "error",
      title: "No server is named",
      help: "Set `server`, `REMIT_SERVER` or `--server`.",
      exit: "invalid",
    },
    "config/server": {
      severity: "error",
      title: "The server's address cannot be used",
      help: "Write it as `https://tenant.example`.",
    },
    "config/parent": {
      severity: "warning",
      title: "A `remit.yaml` in a folder above is not used",
      help: "remit uses the file of this folder or of this checkout, and none that other users may write. Run remit in its folder.",
    },
    "config/settings-from": {
      severity: "error",
      title: "The settings that `--settings-from` names cannot be read",
      help: "Fetch the commit, or name another commit or a file.",
    },
    "config/settings-default": {
      severity: "note",
      title: "The commit of `--settings-from` has no `remit.yaml`: the defaults are in force",
      help: "Merge the project file first, or name a settings file.",
    },
    "config/no-base": {
      severity: "error",
      title: "The checkout does not have the base of the pull request, whose settings are in force",
      help: "Fetch the branch, or check out with its history: `fetch-depth: 0`, `GIT_DEPTH: 0`.",
    },
    "config/unreviewed": {
      severity: "error",
      title: "The pipeline does not say whether the settings of this checkout were reviewed",
      help: "Name those in force with `--settings-from`.",
    },
    "config/proxy": {
      severity: "error",
      title: "The address of the proxy cannot be used; it is not shown",
      help: "Write it as `http://user:password@host:port`, percent-encoded.",
    },
    "config/variable": {
      severity: "error",
      title: "A variable has the wrong form",
      help: "Correct it; `remit config` shows every setting.",
    },
    "config/sandbox": {
      severity: "error",
      title: "The embedded service cannot start",
      help: "Check `sandbox:` in `remit.yaml`.",
    },
    "credentials/none": {
      severity: "error",
      title: "No credentials are set",
      help: "Set `REMIT_TOKEN`, or `REMIT_CLIENT_ID` and `REMIT_CLIENT_SECRET`.",
    },
    "credentials/empty": {
      severity: "error",
      title: "A variable of the credentials is set, but empty",
      help: "Give it a value, or remove it. A pipeline sets an empty variable for a secret that it does not have.",
    },
    "credentials/unconfirmed-server": {
      severity: "error",
      title: "Only the working tree names the server",
      help: "If you trust it, set `REMIT_SERVER` or `--server`, and for a state `REMIT_STATE` or `--state`. At a terminal, remit asks once about the server of the tenant.",
      exit: "invalid",
    },
    "credentials/clear-text": {
      severity: "error",
      title: "A password would be sent to another machine without encryption",
      help: "Leave out `sslmode=disable`. A socket and this machine need no encryption.",
    },
    "credentials/incomplete": {
      severity: "error",
      title: "The client id or the client secret is missing",
      help: "Set both.",
    },
    "credentials/malformed": {
      severity: "error",
      title: "A token or key is damaged",
      help: "Copy it again.",
    },
    "credentials/other-tenant": {
      severity: "error",
      title: "The client belongs to another tenant than the server",
      help: "Correct the server, or use a client of that server. A client id that names its host is sent to that host only.",
    },
    "terraform/unreadable": {
      severity: "error",
      title: "What `--from-terraform` names is not an output of `terraform show -json`",
      help: "The state file itself and a text output cannot be read: their form belongs to Terraform. `terraform show -json > state.json` also reads remote and encrypted states.",
      cases: {
        form: {
          message: "{file} cannot be read as a Terraform state: {why}",
          hint: "Write it with `terraform show -json > state.json`.",
        },
      },
    },
    "command/unknown": {
      severity: "error",
      title: "The command does not exist",
      help: "Use the suggestion.",
    },
    "command/unknown-flag": {
      severity: "error",
      title: "The flag does not exist",
      help: "Use the suggestion.",
    },
    "command/folder": {
      severity: "error",
      title: "The folder after -C cannot be entered, or a link of the checkout leads there",
      help: "Name the folder itself.",
    },
    "command/usage": {
      severity: "error",
      title: "An argument is missing or has the wrong form",
      help: "Add `--help` to the command.",
    },
    "kubernetes/name": {
      severity: "error",
      title: "A context has a name that no object of Kubernetes can have",
      help: "Begin and end the name with a letter or a digit.",
    },
    "kubernetes/place": {
      severity: "error",
      title: "A pod would not know its tenant, or would not have the project",
      help: "Write `server` in remit.yaml; add a remote, or an image that contains the project.",
    },
    "kubernetes/state": {
      severity: "warning",
      title:
        "The state of a context is a file, which ends with its pod, or in a checkout that a pod does not have",
      help: "Keep the state in a store, and name its remote where pods have the project from an image.",
    },
    "command/no-such-schema": {
      severity: "error",
      title: "The schema does not exist",
      help: "Use one of those listed.",
    },
    "command/already-there": {
      severity: "error",
      title: "`remit init` or `remit import` would overwrite a file",
      help: "Name another folder.",
    },
    "command/no-such-kind": {
      severity: "error",
      title: "The kind does not exist",
      help: "Write one of the kinds that `remit schema` lists.",
    },
    "command/not-in-tenant": {
      severity: "error",
      title: "`remit get` names an object that the tenant does not contain",
      help: "`remit plan` says what would be created.",
      message: "the tenant does not contain {address}{key}",
      hint: "Plan to see what remit would create: remit plan --target ADDRESS.",
    },
    "command/nothing-called": {
      severity: "error",
      title: "`remit get` names something that is neither a manifest, nor in the state, nor an app",
      help: "Write an address of the project, an app, or the kind alone.",
      message: "no manifest, no object of the state and no {noun} is called {text!}",
      hint: "`remit get {name}` shows all of them.{near}",
    },
    "command/no-such-address": {
      severity: "error",
      title: "`remit render` names an address that no manifest has",
      help: "Write `Kind/name`, or `Kind/name[row]` for one row of a shape. `Kind/name` alone prints each row.",
    },
    "command/nothing-fits": {
      severity: "warning",
      title: "`remit import` names a pattern that no name fits",
      help: "Names are those that the new manifests would have: `remit get KIND` prints them. An object that something else manages has none.",
      cases: {
        none: {
          message: "no object that can have a manifest fits {address}",
          hint: "The tenant shows none of this kind that can have a manifest.",
        },
        some: {
          message: "no object that can have a manifest fits {address}",
          hint: "Names are those that the new manifests would have.{near}",
        },
      },
    },
    "command/no-such-field": {
      severity: "error",
      title: "No row of the lists has the field that `--where` names",
      help: "The message lists the fields of the rows.",
      cases: {
        none: { message: "no row of the lists has the field {field!}", hint: "The lists have no rows." },
        some: {
          message: "no row of the lists has the field {field!}",
          hint: "The rows have {near,}{more}.",
        },
      },
    },
    "command/no-folder": {
      severity: "error",
      title: "`remit import` needs a folder, and a file is named",
      help: "Name a folder with `--out`, and add it to `manifests:`.",
    },
    "format/left-alone": {
      severity: "warning",
      title: "`remit fmt` cannot format the file without changing its meaning",
      help: "Format it by hand.",
      message: "the file is unchanged: {why}",
      hint: "Write it in a simpler way, or lay it out by hand.",
    },
    "sandbox/address": {
      severity: "error",
      title: "The sandbox cannot listen there",
      help: "Choose another `--port` or `--host`.",
    },
    "sandbox/flag": {
      severity: "error",
      title: "Flags of the sandbox contradict each other",
      help: "Follow the hint.",
    },
    "sandbox/bad-file": {
      severity: "error",
      title: "A seed, faults or data file cannot be used",
      help: "Fix it where the message says; delete a damaged data file to start again.",
    },
  },
} as const satisfies Section;
