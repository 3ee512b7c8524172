import { settingsOfContext } from "../../manifest/contexts.js";
import { readDocument, readShortened } from "../../manifest/document.js";
import type { Place } from "../../manifest/resource.js";
import type { Source } from "../../manifest/source.js";
import type { Checked } from "../../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";

/** A way to a value of a project file: names of members and positions in lists. */
export type SettingPath = readonly (string | number)[];

/** The values of a project file, and where each stands. */
export interface ProjectFile {
  /** As messages show it: `remit.yaml`, or `origin/main:remit.yaml` where it was read from git. */
  readonly name: string;
  readonly value: JsonObject;
  readonly placeOf: (path: SettingPath) => Place;
}

type Check = Parameters<typeof readDocument>[1];

/** A project file's text with a comment in the place of most of its plain contexts, and with the same offsets. */
interface Shortened {
  readonly text: string;
  /** Whether a context is behind a comment. */
  readonly hides: (context: string) => boolean;
  /** The value of the whole text, from that of the shortened one; null where that is not certain. */
  readonly whole: (value: JsonObject) => JsonObject | null;
}

/** From this many plain contexts on, a shorter text saves more than it takes. */
const WORTH = 50;

/** A shorter text must not pass a limit of YAML that the whole one exceeds. */
const LONGEST = 500_000;

const START = /^contexts:\n/m;

/** Empty lines and comments below a context. */
const BELOW = / *(?:#[ -~]*)?\n/.source;

const SERVER = /https:\/\/[a-z\d.-]+[a-z\d]/.source;

const STATE = /(?:[a-z\d]+:\/\/)?[a-z.][\w.-]*\/[\w./-]*\w|git:[\w.-]*#[\w./-]*\w/.source;

/** A context whose lines mean one thing, which the schema allows: texts without quotes that YAML reads as texts. */
const PLAIN = new RegExp(
  ` {2}([a-z][a-z\\d-]*):\\n(?= {4}\\w)(?: {4}server: (${SERVER})\\n)?(?: {4}state: (${STATE})\\n)?(?:${BELOW})*(?! {3}|${BELOW})`,
  "y",
);

/** Any other context: what belongs to it stands further to the right. */
const OTHER = new RegExp(` {2}([a-z][a-z\\d-]*):(?: [^\\n]*)?\\n(?: {3}[^\\n]*\\n|${BELOW})*`, "y");

/** What YAML may read as another value than a text. */
const NO_NAME = /^(?:null|true|false|yes|no|on|off|y|n)$/;

interface Chunk {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** What a plain one means. */
  readonly plain: JsonObject | null;
}

/** Reads a project file's text; null where it is empty or has errors. */
export function projectFileFrom(source: Source, check: Check, worth?: number): Checked<ProjectFile | null> {
  const short = shortFile(source, check, worth);
  if (short !== null) return { value: short, diagnostics: [] };
  const { value: document, diagnostics } = readDocument(source, check);
  if (document === null) return { value: null, diagnostics };
  const { value, place } = document;
  return { value: { name: source.file, value: isObject(value) ? value : {}, placeOf: place }, diagnostics };
}

/** A file of many contexts, read without most of them. Where a place in one of those is asked for, the text with it is read. */
function shortFile(source: Source, check: Check, worth: number | undefined): ProjectFile | null {
  const short = readShort(source, check, null, worth);
  if (short === null) return null;
  let asked: { readonly context: string; readonly place: ProjectFile["placeOf"] | null } | undefined;
  let whole: ProjectFile["placeOf"] | undefined;
  return {
    name: source.file,
    value: short.value,
    placeOf(path) {
      const [first, context] = path;
      if (first !== "contexts" || !short.hides(String(context))) return short.place(path);
      asked ??= { context: String(context), place: placesWith(source, String(context), worth) };
      if (context === asked.context && asked.place !== null) return asked.place(path);
      // A run that asks for places of several contexts may ask for those of all.
      whole ??= readDocument(source, () => []).value?.place ?? short.place;
      return whole(path);
    },
  };
}

/** The places of a file that one more context is left in; null where it is not. */
function placesWith(
  source: Source,
  context: string,
  worth: number | undefined,
): ProjectFile["placeOf"] | null {
  const read = readShort(source, () => [], context, worth);
  return read === null || read.hides(context) ? null : read.place;
}

/** What of a shortened file is read, and which contexts it hides. */
function readShort(source: Source, check: Check, asked: string | null, worth: number | undefined) {
  const shortened = shorten(source.text, asked, worth);
  if (shortened === null) return null;
  const { text, hides } = shortened;
  const whole = (value: Json) => (isObject(value) ? shortened.whole(value) : null);
  const read = readShortened(source, check, { text, whole });
  return read === null || !isObject(read.value) ? null : { value: read.value, place: read.place, hides };
}

/** A project file as one of its contexts sees it. */
export function fileOfContext(file: ProjectFile, context: string): ProjectFile {
  const { value, writtenAt } = settingsOfContext(file.value, context);
  return { name: file.name, value, placeOf: (path) => file.placeOf(writtenAt(path)) };
}

/** Where a project file writes a value; null where it does not. */
export function writtenIn(file: ProjectFile, path: SettingPath): Place | null {
  let value: Json | undefined = file.value;
  for (const name of path) {
    value = Array.isArray(value)
      ? value[Number(name)]
      : isObject(value) && Object.hasOwn(value, name)
        ? value[name]
        : undefined;
    if (value === undefined) return null;
  }
  return file.placeOf(path);
}

/**
 * Shortens the text of a project with many contexts, because YAML takes long to read. The first and the last plain context
 * stay in the text, and so do all others and `asked`. `whole` compares them with what YAML makes of them, so that another
 * structure is noticed. Null where the text is not of this form.
 */
export function shorten(text: string, asked: string | null, worth = WORTH): Shortened | null {
  const start = START.exec(text);
  if (start === null || text.length > LONGEST) return null;
  const chunks = chunksFrom(text, start.index + start[0].length);
  const plain = chunks?.filter((chunk) => chunk.plain !== null) ?? [];
  if (chunks === null || plain.length < Math.max(worth, 3)) return null;
  const [first, last] = [plain[0], plain.at(-1)];
  const isHidden = (chunk: Chunk) =>
    chunk.plain !== null && chunk !== first && chunk !== last && chunk.name !== asked;
  const hidden = new Set(chunks.filter(isHidden).map(({ name }) => name));
  if (new Set(chunks.map(({ name }) => name)).size < chunks.length) return null;
  return {
    text: hide(text, chunks.filter(isHidden)),
    hides: (context) => hidden.has(context),
    whole: (value) => joined(value, chunks, hidden),
  };
}

function chunksFrom(text: string, from: number): readonly Chunk[] | null {
  const chunks: Chunk[] = [];
  let start = from;
  while (text[start] === " ") {
    PLAIN.lastIndex = start;
    OTHER.lastIndex = start;
    const found = PLAIN.exec(text);
    const [all, name] = found ?? OTHER.exec(text) ?? [];
    if (all === undefined || name === undefined || NO_NAME.test(name)) return null;
    const [server, state] = [found?.[2], found?.[3]];
    const given = { ...(server !== undefined && { server }), ...(state !== undefined && { state }) };
    chunks.push({ name, start, end: start + all.length, plain: found === null ? null : given });
    start += all.length;
  }
  return chunks;
}

/** One comment for all that stand one below the other. */
function hide(text: string, hidden: readonly Chunk[]): string {
  let [shorter, at] = ["", 0];
  for (const { start, end } of runsOf(hidden)) {
    shorter += `${text.slice(at, start)}#${"-".repeat(end - start - 2)}\n`;
    at = end;
  }
  return shorter + text.slice(at);
}

function runsOf(hidden: readonly Chunk[]): readonly Pick<Chunk, "start" | "end">[] {
  const runs: { start: number; end: number }[] = [];
  for (const { start, end } of hidden) {
    const before = runs.at(-1);
    if (before?.end === start) before.end = end;
    else runs.push({ start, end });
  }
  return runs;
}

function joined(value: JsonObject, chunks: readonly Chunk[], hidden: ReadonlySet<string>): JsonObject | null {
  const { contexts } = value;
  if (!isObject(contexts)) return null;
  const shown = chunks.filter(({ name }) => !hidden.has(name));
  const names = Object.keys(contexts);
  if (names.length !== shown.length || shown.some(({ name }, at) => name !== names[at])) return null;
  if (shown.some(({ name, plain }) => plain !== null && !isSame(plain, contexts[name]))) return null;
  const all = chunks.map(({ name, plain }) => [name, hidden.has(name) ? plain : (contexts[name] ?? null)]);
  return { ...value, contexts: Object.fromEntries(all) as JsonObject };
}

function isSame(plain: JsonObject, read: Json | undefined): boolean {
  return JSON.stringify(plain) === JSON.stringify(read);
}
