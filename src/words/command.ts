import type { Section } from "./saying.js";

/** The part of a run's sentences that are about its command line, and what one command asks for. */
export const COMMAND_ROWS = {
  "command/unknown": {
    severity: "error",
    title: "The command does not exist",
    help: "Use the suggestion.",
    hint: "{suggestion}`remit --help` lists the commands.",
    cases: {
      flag: {
        message: "remit itself does not have a flag {input}",
      },
      other: {
        message: "unknown command {input}",
        hint: "`{ours}` does that; `remit --help` lists the commands.",
      },
      delete: {
        message: "unknown command {input}",
        hint: "To delete an object, delete its manifest; then `remit plan --prune` shows the delete and `remit apply --prune` makes it.",
      },
      login: {
        message: "unknown command {input}",
        hint: "remit has no login: it reads REMIT_CLIENT_ID and REMIT_CLIENT_SECRET. `remit doctor` says what they may do.",
      },
      command: {
        message: "unknown command {input}",
      },
    },
  },
  "command/unknown-flag": {
    severity: "error",
    title: "The flag does not exist",
    help: "Use the suggestion.",
    message: "{what}",
    hint: "{meant}Add --help to the command to see what it takes.",
  },
  "command/folder": {
    severity: "error",
    title: "The folder after -C cannot be entered, or a link of the checkout leads there",
    hint: "Name a folder after -C.",
    cases: {
      missing: { message: "-C needs a folder", hint: "Write the folder after it: remit -C reviews plan." },
      link: {
        message: "{folder} leads through {link}, a symbolic link of the checkout",
        hint: "Name the folder that it leads to: remit -C {to} …",
      },
      notFolder: { message: "{folder} is not a folder" },
      closed: { message: "remit cannot enter {folder}: {reason}" },
    },
  },
  "command/usage": {
    severity: "error",
    title: "An argument is missing or has the wrong form",
    help: "Add `--help` to the command.",
    hint: "Leave out one of them.",
    cases: {
      noPlan: {
        message: "remit show needs a saved plan, or --graph",
        hint: "Save a plan with `remit plan --out plan.json`, or draw an object of the project: remit show --graph Kind/name.",
      },
      noGraph: {
        message: "{format} is a format of a graph",
        hint: "Add --graph Kind/name, or choose another format.",
      },
      graphForm: {
        message: "a graph is printed as text, json, svg or mermaid, on standard output",
        hint: "Write --format svg > graph.svg.",
      },
      noEffect: {
        message: "--apply needs an effect",
        hint: "Add --expect CONTEXT=EFFECT, with the effect that the plan shows.",
      },
      noApply: { message: "--{flag} belongs to --apply", hint: "Add --apply, or leave out --{flag}." },
      window: {
        message: "--window belongs to plans: a person starts an apply",
        hint: "Leave out --window or --apply.",
      },
      effects: { message: "{context} has two effects", hint: "Give --expect once for each context." },
      wrong: { message: "{what}", hint: "{meant}Add --help to the command to see what it takes." },
      both: { message: "--all-drift and an address cannot both be given" },
      noDrift: {
        message:
          "--restore writes what objects had before a run, and --all-drift and --from what the tenant has",
        hint: "Write --restore Kind/name or --restore Kind/name#field alone.",
      },
      onlyRestore: {
        message: "--run needs --restore: it names the run before which the values are asked for",
        hint: "Write remit accept --restore Kind/name --run RUN.",
      },
      nothing: {
        message: "nothing is named to accept",
        hint: "Write Kind/name, Kind/name#field, or --all-drift.",
      },
      oneFile: {
        message: "--run is about one plan, and several files are given",
        hint: "Post each plan in a call of its own, or each failed run as a file in place of its plan: `remit comment eu=/tmp/plan.json us=/tmp/run.json`.",
      },
      noFile: {
        message: "no file is named to post",
        hint: "Name a saved plan, or the JSON report of an apply or of a failed run.",
      },
      withFiles: {
        message: "--queue takes no file: the commit of a merge queue has no plan",
        hint: "The plan of each pull request is posted in the job of that pull request.",
      },
      noQueue: {
        message: "--queue is for a job of a merge queue, and this job is of none",
        hint: "Run it in a job that the event `merge_group` starts.",
      },
      textOf: {
        message: "--{flag} belongs to --format kubernetes",
        hint: "Add --format kubernetes, or leave out --{flag}.",
      },
      expectContext: { message: "--expect names no context", hint: "Write --expect CONTEXT=EFFECT." },
      noContexts: {
        message: "no context is called {named!}",
        hint: "This project has none: write --expect EFFECT.",
      },
      requirement: {
        message: "--require cannot be {text}",
        hint: "Name approvals=N, not-by-applier, approvals-of-head, approvals-dated or read-back.",
      },
      noKey: {
        message: "no key is named that signatures are checked with",
        hint: "Add --key FILE with the public key, or --unsigned.",
      },
      badKey: {
        message: "the key {file} cannot be used: {why}",
        hint: "Print it with `openssl pkey -in KEY -pubout`.",
      },
      noCondition: {
        message: "{text!} is not a field and a pattern",
        hint: "Write FIELD=PATTERN or FIELD!=PATTERN: --where 'displayName=Team *'.",
      },
      twoServers: {
        message: "--server and --example do not go together: an example has its own sandbox",
        hint: "Leave one of them out. To use the example's manifests on a tenant, change `server:` in remit.yaml.",
      },
      notOffline: {
        message: "--unmanaged and --offline cannot both be given: only the service knows what is not managed",
      },
    },
  },
  "kubernetes/name": {
    severity: "error",
    title: "A context has a name that no object of Kubernetes can have",
    help: "Begin and end the name with a letter or a digit.",
    message: "{who} cannot be part of a name in Kubernetes, which begins and ends with a letter or a digit",
    hint: "Rename the context, and give its state to the new name: `remit state move --context NEW --from-project '…#OLD'`.",
  },
  "kubernetes/place": {
    severity: "error",
    title: "A pod would not know its tenant, or would not have the project",
    help: "Write `server` in remit.yaml; add a remote, or an image that contains the project.",
    cases: {
      server: {
        message: "{who} has no server, so no job knows its tenant",
        hint: "Write `server` in remit.yaml.",
      },
      checkout: {
        message: "the checkout has no remote that a pod can clone over https",
        hint: "Add a remote with an https address, or use --source image.",
      },
      image: {
        severity: "warning",
        message: "pods have the project from their image, and {image} does not contain it",
        hint: "Build an image from it with the project in /project, and name it: --image NAME.",
      },
    },
  },
  "kubernetes/state": {
    severity: "warning",
    title:
      "The state of a context is a file, which ends with its pod, or in a checkout that a pod does not have",
    help: "Keep the state in a store, and name its remote where pods have the project from an image.",
    cases: {
      file: {
        message: "the state of {who} is a file ({state}), which ends with the pod",
        hint: 'Keep it in a store (docs/stores.md), such as "git:". Without one, {part}.',
      },
      remote: {
        message:
          "the state of {who} is kept in the remote of a checkout ({state}), and an image has no checkout",
        hint: "Name the remote: git:https://HOST/PATH.git#NAME, and give `project` in remit.yaml.",
      },
    },
  },
  "command/no-such-page": {
    severity: "error",
    title: "The page of the documentation does not exist",
    help: "`remit docs` lists the pages.",
    message: "unknown page {name}",
  },
  "command/no-such-schema": {
    severity: "error",
    title: "The schema does not exist",
    help: "Use one of those listed.",
    message: "unknown schema {name}",
  },
  "command/already-there": {
    severity: "error",
    title: "`remit init` or `remit import` would overwrite a file",
    help: "Name another folder.",
    cases: {
      isTaken: { message: "{path} already exists, so it was not changed" },
      alreadyThere: {
        message: "{path} already exists, so it was not changed",
        hint: "Import again: remit chooses another name.",
      },
    },
  },
  "command/no-such-kind": {
    severity: "error",
    title: "The kind does not exist",
    help: "Write one of the kinds that `remit schema` lists.",
    cases: {
      unknown: { message: "no kind and no list has the name {word!}" },
      noKind: { message: "no kind has the name {kind!}" },
    },
  },
  "command/not-in-tenant": {
    severity: "error",
    title: "`remit get` names an object that the tenant does not contain",
    message: "the tenant does not contain {address}{key}",
    hint: "Plan to see what remit would create: remit plan --target ADDRESS.",
  },
  "command/not-seen": {
    severity: "error",
    title: "`remit get` names an object that may be in a list that was not read",
    help: "The lists of the service were not read to their end. Run it again, or name the object by its id.",
    message: "{address}: nothing that was read is this object, and not all lists were read",
    hint: "Run it again, or name the object by its id: remit get Kind/ID.",
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
    title: "`remit render` or `remit show --graph` names an address that no manifest has",
    help: "Write `Kind/name`, or `Kind/name[row]` for one row of a shape. `remit render Kind/name` prints each row.",
    cases: {
      manifest: { message: "no manifest has the address {wanted}" },
      graph: { message: "no object has the address {wanted}" },
    },
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
  "command/import-parts": {
    severity: "warning",
    title: "An import leaves out a part of some objects",
    help: "What a manifest does not write stays as it is in the tenant. Import fewer objects at a time, or give the client a role that may read the part.",
    cases: {
      bounded: {
        message:
          "an import reads the {parts} of {most} objects at most, with {calls} calls for each, so {count} {nouns} are without `{field}`",
        hint: "Import fewer at a time: with a pattern such as `{kind}/eng-*`, with --app or with --limit.",
      },
      unread: {
        message: "the {parts} of {nouns} cannot all be read, so manifests are without `{field}`: {why}",
        hint: "Give the client a role that may read the {parts}. Where the tenant does not offer them, nothing is missing.",
      },
    },
  },
  "command/no-folder": {
    severity: "error",
    title: "`remit import` needs a folder, and a file is named",
    message: "{path} is a file, and an import writes several files into a folder",
    hint: "Name a folder: remit import --out DIR. Add it to `manifests:` in remit.yaml.",
  },
  "format/left-alone": {
    severity: "warning",
    title: "`remit fmt` cannot format the file without changing its meaning",
    message: "the file is unchanged: {why}",
    hint: "Write it in a simpler way, or lay it out by hand.",
  },
  "sandbox/address": {
    severity: "error",
    title: "The sandbox cannot listen there",
    help: "Choose another `--port` or `--host`.",
    cases: {
      taken: {
        message: "another program already listens at {host}:{port}",
        hint: "Choose another --port, or 0.",
      },
      refused: { message: "cannot listen at {host}:{port}", hint: "Choose another --host or --port." },
    },
  },
  "sandbox/flag": {
    severity: "error",
    title: "Flags of the sandbox contradict each other",
    help: "Follow the hint.",
    message: "{message}",
  },
  "sandbox/bad-file": {
    severity: "error",
    title: "A seed, faults or data file cannot be used",
    help: "Fix it where the message says; delete a damaged data file to start again.",
    message: "{what}",
  },
} as const satisfies Section["rows"];
