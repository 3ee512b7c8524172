import type { Diagnostic } from "../model/diagnostic.js";
import { didYouMean } from "../schema/didYouMean.js";
import { say } from "../words/say.js";
import { placeAt } from "./source.js";

/** The largest file that remit reads, in bytes: much larger than any manifest, and parsed in seconds. */
export const LARGEST = 8 * 1024 * 1024;

/** A file that is not valid UTF-8, located at the first invalid byte. */
export function notUtf8(file: string, bytes: Uint8Array): Diagnostic {
  const text = new TextDecoder("utf-8").decode(bytes);
  const at = text.indexOf("\uFFFD");
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const place = placeAt({ file, text, named: true }, at, at + 1);
  return say(wide ? "file/not-utf8#wide" : "file/not-utf8#other", { file: called(file) }, place);
}

/** A file that is too large to read. */
export function tooLarge(file: string, size: number): Diagnostic {
  const megabytes = (count: number) => `${Math.ceil(count / 1024 / 1024)} MB`;
  return say("file/too-large", { file: called(file), size: megabytes(size), most: megabytes(LARGEST) });
}

/** What a file is called in a sentence. */
export function called(file: string): string {
  return file === "-" ? "standard input" : file;
}

/** A path to something that does not exist, or that the system does not let remit read. */
export function unreadable(file: string, error: unknown, beside: readonly string[] = []): Diagnostic {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT")
    return say("file/missing#path", { file }, { hint: didYouMean(lastOf(file), beside) });
  const why = REASONS[code] ?? (code === "" ? "permission denied" : code);
  if (code === "ESUBMODULE") return say("file/submodule", { file });
  return say("file/unreadable", { file, why });
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

/** What is read from files. */
export type ReadFor = "manifest" | "test" | "guard";

/** A named folder without what is read from it. */
export function noneFound(folder: string, sought: ReadFor = "manifest") {
  return say(NONE[sought], { folder: inWords(folder) });
}

/** A named folder that does not exist; `beside` are the names in its folder. */
export function noFolder(folder: string, beside: readonly string[], sought: ReadFor): Diagnostic {
  const hint = didYouMean(lastOf(folder), beside) ?? noneFound(folder, sought).hint;
  return say("file/missing#folder", { sought, folder: inWords(folder) }, { hint });
}

const NONE = {
  manifest: "manifest/none",
  test: "expectation/none#tests",
  guard: "manifest/none#guards",
} as const satisfies Readonly<Record<ReadFor, string>>;

function inWords(folder: string): string {
  if (folder === ".") return "this folder";
  return /^(?:\.|\/|[A-Za-z]:)/.test(folder) ? folder : `./${folder}`;
}
