import type { Diagnostic } from "../model/diagnostic.js";
import { didYouMean } from "../schema/didYouMean.js";
import { placeAt } from "./source.js";

/** The largest file that remit reads, in bytes: much larger than any manifest, and parsed in seconds. */
export const LARGEST = 8 * 1024 * 1024;

/** A file that is not valid UTF-8, located at the first invalid byte. */
export function notUtf8(file: string, bytes: Uint8Array): Diagnostic {
  const text = new TextDecoder("utf-8").decode(bytes);
  const at = text.indexOf("\uFFFD");
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return {
    code: "file/not-utf8",
    severity: "error",
    message: `${called(file)} is not valid UTF-8`,
    ...placeAt({ file, text, named: true }, at, at + 1),
    hint: wide ? "It looks like UTF-16. Save it as UTF-8." : "Save the file as UTF-8.",
  };
}

/** A file that is too large to read. */
export function tooLarge(file: string, size: number): Diagnostic {
  const megabytes = (count: number) => `${Math.ceil(count / 1024 / 1024)} MB`;
  return {
    code: "file/too-large",
    severity: "error",
    message: `${called(file)} holds ${megabytes(size)}; at most ${megabytes(LARGEST)} of one file can be read`,
    hint: "Split it into several files, or leave it out with a line in .remitignore.",
  };
}

/** What a file is called in a sentence. */
export function called(file: string): string {
  return file === "-" ? "standard input" : file;
}

/** A path to something that does not exist, or that the system does not let remit read. */
export function unreadable(file: string, error: unknown, beside: readonly string[] = []): Diagnostic {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT")
    return {
      code: "file/missing",
      severity: "error",
      message: `${file} does not exist`,
      hint: didYouMean(lastOf(file), beside) ?? "Check the path. It is relative to the working directory.",
    };
  const why = REASONS[code] ?? (code === "" ? "permission denied" : code);
  if (code === "ESUBMODULE")
    return {
      code: "file/submodule",
      severity: "warning",
      message: `${file} is a submodule, so remit does not know what it contained`,
      hint: "Nothing in it counts as removed. Plan in the submodule to see what was removed there.",
    };
  return {
    code: "file/unreadable",
    severity: "error",
    message: `${file} cannot be read: ${why}`,
    hint: "Make it readable, or leave it out with a line in .remitignore.",
  };
}

/** The last part of a path as messages show it. */
function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "its symbolic links form a loop",
  ENOTDIR: "a part of the path is not a folder",
  EMFILE: "too many files are open",
};

/** A symbolic link to nowhere. */
export function danglingLink(file: string): Diagnostic {
  return {
    code: "file/missing",
    severity: "error",
    message: `${file} is a symbolic link to a file that does not exist`,
    hint: "Correct the link, or leave it out with a line in .remitignore.",
  };
}

/** A path of the project that really leads out of it, or into the data of git. */
export function outside(file: string): Diagnostic {
  return {
    code: "file/outside",
    severity: "error",
    message: `${file} leads outside the project, so remit does not read it`,
    hint: "Put the file itself into the project's folder. remit reads nothing outside it, and nothing in .git, for a link or a setting.",
  };
}

/** A pipe, a device or a socket: reading it might never end. */
export function notAFile(file: string): Diagnostic {
  return {
    code: "file/not-a-file",
    severity: "error",
    message: `${file} is neither a file nor a folder`,
    hint: "Pipe its content in and name it `-`, or exclude it with a line in .remitignore.",
  };
}

/** What is read from files. */
export type ReadFor = "manifest" | "test" | "guard";

/** A named folder without what is read from it. */
export function noneFound(folder: string, sought: ReadFor = "manifest"): Diagnostic {
  return {
    code: sought === "test" ? "expectation/none" : "manifest/none",
    severity: "error",
    message: noneIn(folder, sought),
    hint: WRITE_ONE[sought],
  };
}

/** A named folder that does not exist; `beside` are the names in its folder. */
export function noFolder(folder: string, beside: readonly string[], sought: ReadFor): Diagnostic {
  const meant = didYouMean(lastOf(folder), beside);
  return {
    code: "file/missing",
    severity: "error",
    message: `${noneIn(folder, sought)}: the folder does not exist`,
    hint: meant ?? WRITE_ONE[sought],
  };
}

const WHERE = "in a file that ends in .yaml, .yml or .json. remit also reads the folders below it.";

const WRITE_ONE: Readonly<Record<ReadFor, string>> = {
  manifest: `\`remit import\` writes a manifest for each object of the tenant. Or write one there yourself, ${WHERE}`,
  test: `Write a document of kind Test there, ${WHERE}`,
  guard: `Write a document of kind Guard there, ${WHERE}`,
};

function noneIn(folder: string, sought: ReadFor): string {
  return `No ${sought}s found in ${inWords(folder)}`;
}

function inWords(folder: string): string {
  if (folder === ".") return "this folder";
  return /^(?:\.|\/|[A-Za-z]:)/.test(folder) ? folder : `./${folder}`;
}
