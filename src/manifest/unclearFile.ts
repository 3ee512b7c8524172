import type { Diagnostic } from "../model/diagnostic.js";
import { isObject } from "../model/json.js";
import { API_VERSION, namesKnownKind } from "./envelope.js";
import { locate } from "./locate.js";
import type { Parsed } from "./parse/parse.js";
import { OF_REMIT, placeAt, type Source } from "./source.js";

/** A file that may hold manifests which this run does not see: what seems to be removed may stand in it. */
export interface UnclearFile {
  readonly file: string;
  /** Whether the text alone shows it; otherwise it is one only where the file gave manifests before. */
  readonly isCertain: boolean;
  /** What to say of the file where it is one. */
  readonly diagnostic: Diagnostic;
  /** What was said of the file as one of another tool. */
  readonly instead: readonly Diagnostic[];
}

/** The text that git has in place of a file that git-LFS keeps elsewhere. */
const LFS = /^version https:\/\/git-lfs\.github\.com\/spec\//;

const LEAVE_OUT = "or exclude the file with a line in .remitignore.";

/** What an unclear file means for the whole project. */
const UNTIL_THEN = "Until then, nothing of the project counts as removed.";

/** A file without its text; null for any other. */
export function pointerIn(source: Source): UnclearFile | null {
  if (!LFS.test(source.text)) return null;
  return certain(source, {
    message: `${source.file} is a pointer of git-LFS, so its text is not here`,
    ...placeAt(source, 0, 0),
    hint: `Fetch it: git lfs pull. ${UNTIL_THEN}`,
  });
}

/** A file of a folder that cannot be parsed, and does not mention remit. Tags alone are another tool's own language. */
export function illegible(source: Source, diagnostics: readonly Diagnostic[]): UnclearFile {
  const [first] = diagnostics;
  const place = first?.span === undefined ? {} : { span: first.span };
  const excerpt = first?.excerpt === undefined ? {} : { excerpt: first.excerpt };
  const message = `this is not a remit manifest, and cannot be read: ${first?.message}`;
  if (!diagnostics.every(({ code }) => code === "yaml/tag")) {
    const hint = `Correct it, ${LEAVE_OUT} ${UNTIL_THEN}`;
    return certain(source, { message, ...place, ...excerpt, hint });
  }
  const hint = `Correct it, ${LEAVE_OUT}`;
  return emptied(source, [{ ...foreign(source), message, ...place, ...excerpt, hint }]);
}

/**
 * Documents without a manifest: those of another tool, unless they stand among manifests, or nothing says what they are.
 */
export function strange(
  source: Source,
  documents: readonly Parsed[],
  isAmongManifests: boolean,
): UnclearFile {
  const [first] = documents;
  const place = first === undefined ? {} : locate({ source, marks: first.marks }, ["apiVersion"]);
  const more = documents.length - 1;
  const message =
    more <= 0 ? "this is not a remit manifest" : `this and ${more} more here are not remit manifests`;
  const hint = `Write apiVersion: ${API_VERSION} if it is meant as one, ${LEAVE_OUT}`;
  const isPart = isAmongManifests || OF_REMIT.test(source.text) || documents.some(isUnclear);
  if (isPart) return certain(source, { message, ...place, hint: `${hint} ${UNTIL_THEN}` });
  return emptied(source, [{ ...foreign(source), message, ...place, hint }]);
}

/** A file that gives no manifest, with what is said of it where it never gave any. */
export function emptied(source: Source, instead: readonly Diagnostic[]): UnclearFile {
  return {
    file: source.file,
    isCertain: false,
    diagnostic: {
      ...NOT_UNDERSTOOD,
      message: `${source.file} had manifests before, and remit finds none in it now`,
      ...placeAt(source, 0, 0),
      hint: `Restore it. To remove its objects, delete the file. ${UNTIL_THEN}`,
    },
    instead,
  };
}

/** Neither a list nor a map, or a kind of remit's by another name of its version. */
function isUnclear({ value }: Parsed): boolean {
  return isObject(value) ? namesKnownKind(value) : !Array.isArray(value);
}

const NOT_UNDERSTOOD = { code: "manifest/not-understood", severity: "warning" } as const;

function foreign({ named }: Source) {
  return { code: "manifest/foreign", severity: named ? "error" : "warning" } as const;
}

function certain(source: Source, told: Omit<Diagnostic, "code" | "severity">): UnclearFile {
  const diagnostic = { ...foreign(source), code: NOT_UNDERSTOOD.code, ...told };
  return { file: source.file, isCertain: true, diagnostic, instead: [diagnostic] };
}
