import type { Section } from "./saying.js";

export const MANIFEST = {
  heading: "manifest: the documents",
  rows: {
    "manifest/none": {
      severity: "error",
      title: "No manifest was found",
      help: "Check the path; `*.yaml`, `*.yml` and `*.json` are read.",
      message: "No manifests found in {folder}",
      hint: "`remit import` writes a manifest for each object of the tenant. Or write one there yourself, in a file that ends in .yaml, .yml or .json. remit also reads the folders below it.",
      cases: {
        guards: {
          message: "No guards found in {folder}",
          hint: "Write a document of kind Guard there, in a file that ends in .yaml, .yml or .json. remit also reads the folders below it.",
        },
      },
    },
    "manifest/empty": {
      severity: "note",
      title: "A file contains no manifest",
      message: "{file} contains no manifest",
      hint: "Write one, or remove the file.",
    },
    "manifest/own-output": {
      severity: "note",
      title: "A file of a folder is an output of remit (a plan, a report, a state); shown with `-v`",
      help: "Nothing to do.",
      message: "{file} is {output} that remit wrote, so it is not read as a manifest",
    },
    "manifest/foreign": {
      severity: "warning",
      title: "A document is not a remit manifest",
      help: "Write `apiVersion: remit/v1`, or name the file in `.remitignore`.",
      hint: "Name a manifest, or a folder of manifests.",
      cases: {
        output: {
          severity: "error",
          message: "{file} is {output} that remit wrote, not a manifest",
        },
        webPage: {
          severity: "error",
          message: "{file} is a web page, not a manifest",
        },
      },
    },
    "manifest/not-understood": {
      severity: "warning",
      title:
        "A file may hold manifests that remit cannot see: a pointer of git-LFS, a text that was cut or encrypted, a file that had manifests and has none now",
      help: "Restore the file, delete it, or name it in `.remitignore`. Until then nothing counts as removed, and `--prune` is refused.",
    },
    "manifest/list": {
      severity: "error",
      title: "Manifests are written as a list",
      message: "manifests are written as a list here, and each one is a document of its own",
      hint: "Write them without the dashes, with a line `---` between them.",
    },
    "manifest/version": {
      severity: "error",
      title: "The version of a manifest is unknown",
      hint: "Write `apiVersion: remit/v1`.",
      cases: {
        form: { message: "apiVersion is not a text" },
        absent: { message: "the manifest has no apiVersion" },
        newer: {
          message: "this version of remit does not know {version}",
          hint: "Write remit/v1, or install a version of remit that knows it.",
        },
      },
    },
    "manifest/kind": {
      severity: "error",
      title: "The kind of a manifest is unknown",
      help: "`remit schema` lists them.",
      hint: "The kinds are {kinds,}.",
      cases: {
        absent: { message: "the manifest has no kind" },
        unknown: { message: "unknown kind {kind}" },
      },
    },
    "manifest/misplaced": {
      severity: "error",
      title: "A manifest is in a file of tests or guards",
      help: "Move it to a file that `manifests:` names.",
    },
    "manifest/duplicate-name": {
      severity: "error",
      title: "Two manifests have one name",
      message: "two manifests have the name {address}",
      hint: "Rename or remove one of them.",
    },
    "manifest/duplicate-key": {
      severity: "error",
      title: "Two manifests are for one object",
      help: "Remove one.",
      cases: {
        object: {
          message: "two manifests describe the same {noun}: {first} and {second}",
          hint: "Merge the two manifests.",
        },
        description: {
          message: "two manifests describe the same {noun}: {first} and {second} have {shared}",
          hint: "Merge the two manifests, or write the `{identity}` of both.",
        },
      },
    },
  },
} as const satisfies Section;
