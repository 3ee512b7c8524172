import type { Section } from "./saying.js";

export const FILE = {
  heading: "file: what is read and written",
  rows: {
    "file/missing": {
      severity: "error",
      title: "A path does not exist",
      help: "Paths on the command line count from the working directory, those in `remit.yaml` from its folder.",
      cases: {
        path: {
          message: "{file} does not exist",
          hint: "Check the path. It is relative to the working directory.",
        },
        link: {
          message: "{file} is a symbolic link to a file that does not exist",
          hint: "Correct the link, or leave it out with a line in .remitignore.",
        },
        folder: {
          message: "No {sought}s found in {folder}: the folder does not exist",
        },
      },
    },
    "file/not-a-file": {
      severity: "error",
      title: "A path is neither a file nor a folder",
      message: "{file} is neither a file nor a folder",
      hint: "Pipe its content in and name it `-`, or exclude it with a line in .remitignore.",
    },
    "file/not-utf8": {
      severity: "error",
      title: "A file is not valid UTF-8",
      help: "Save it as UTF-8.",
      cases: {
        wide: { message: "{file} is not valid UTF-8", hint: "It looks like UTF-16. Save it as UTF-8." },
        other: { message: "{file} is not valid UTF-8", hint: "Save the file as UTF-8." },
      },
    },
    "file/link": {
      severity: "error",
      title: "remit does not write through a link inside the project",
      help: "A link in a checkout may lead anywhere. Remove it, or name the file that it leads to.",
      message: "{subject}, and remit writes through no link inside the project",
      hint: "Remove the link {where}, or name the file that it leads to.",
    },
    "file/outside": {
      severity: "error",
      title: "A path of the project leads outside it",
      help: "Put the file itself into the project's folder. remit reads nothing outside it, and nothing in `.git`, for a link or a setting.",
      cases: {
        read: {
          message: "{file} leads outside the project, so remit does not read it",
          hint: "Put the file itself into the project's folder. remit reads nothing outside it, and nothing in .git, for a link or a setting.",
        },
        stateOutside: {
          message: "the state {value} ({from}) is outside the project, so remit does not use it",
          hint: "Name a path inside the project, or the address of a store. Give a path outside it in REMIT_STATE or --state.",
        },
        leadsOutside: {
          message: "{path} ({from}) is outside the project, so remit does not read it",
          hint: "Put it into the project's folder. A path outside it can only be given on the command line.",
        },
      },
    },
    "file/submodule": {
      severity: "warning",
      title: "A folder of an earlier commit is a submodule",
      message: "{file} is a submodule, so remit does not know what it contained",
      hint: "Nothing in it counts as removed. Plan in the submodule to see what was removed there.",
    },
    "file/too-large": {
      severity: "error",
      title: "A file is too large",
      message: "{file} holds {size}; at most {most} of one file can be read",
      hint: "Split it into several files, or leave it out with a line in .remitignore.",
    },
    "file/unreadable": {
      severity: "error",
      title: "A file cannot be read",
      message: "{file} cannot be read: {why}",
      hint: "Make it readable, or leave it out with a line in .remitignore.",
    },
    "file/unwritable": {
      severity: "error",
      title: "A file cannot be written",
      hint: "Free some space or change the permissions, then run the command again.",
      cases: {
        failed: {
          message: "{file} cannot be written: {code}",
        },
        unwritable: {
          message: "{shown} cannot be written: {code}",
        },
      },
    },
  },
} as const satisfies Section;
