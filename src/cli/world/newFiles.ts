import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as others } from "node:timers/promises";
import type { Diagnostic } from "../../model/diagnostic.js";
import { codeOf } from "../../state/fault.js";
import { say } from "../../words/say.js";
import { linkInProject, throughLink } from "./links.js";
import { runMarkOf } from "./runMark.js";
import type { World } from "./world.js";
import { unwritable } from "./write.js";

/** A file that is not there yet. */
interface NewText {
  /** Absolute. */
  readonly path: string;
  /** The path as messages name it. */
  readonly shown: string;
  readonly text: string;
}

/** So many files are written before other work, such as a signal, has its turn. */
const AT_ONCE = 100;

/**
 * Writes many new files, each whole under a name of its own first, and makes their folders. No existing file is changed,
 * and no link inside the project is followed. Stops at the first that cannot be written, and gives why. A power cut may
 * lose new files: an import that is run again writes them again.
 */
export async function writeNewFiles(
  world: Pick<World, "cwd" | "unique" | "process">,
  files: readonly NewText[],
  written: (file: NewText) => void,
): Promise<readonly Diagnostic[]> {
  const { mark } = runMarkOf(world.process);
  const drafts = new Map<string, string>();
  for (const [place, file] of files.entries()) {
    if (place % AT_ONCE === 0) await others();
    const folder = dirname(file.path);
    const draft = drafts.get(folder) ?? draftIn(folder, mark, world.unique());
    if (!drafts.has(folder)) {
      const link = await linkInProject(world.cwd, folder);
      const failure = link === null ? make(folder, file) : throughLink(file.shown, link, world.cwd);
      if (failure !== null) return [failure];
      drafts.set(folder, draft);
    }
    const failure = writeNew(file, draft);
    if (failure !== null) return [failure];
    written(file);
  }
  return [];
}

function make(folder: string, { shown }: NewText): Diagnostic | null {
  try {
    mkdirSync(folder, { recursive: true });
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (code === "EUNKNOWN") throw error;
    // A file is where the folder should be.
    return unwritable(shown, code === "EEXIST" ? "ENOTDIR" : code);
  }
}

function writeNew({ path, shown, text }: NewText, draft: string): Diagnostic | null {
  let isBegun = false;
  try {
    const file = openSync(draft, "wx");
    isBegun = true;
    try {
      // Unlike writeSync, it writes all or throws: a full disk may take a part of a text.
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
    give(draft, path);
    return null;
  } catch (error) {
    if (isBegun) rmSync(draft, { force: true });
    const code = codeOf(error);
    if (code === "EUNKNOWN") throw error;
    return code === "EEXIST"
      ? say("command/already-there#alreadyThere", { path: shown })
      : unwritable(shown, code);
  }
}

/** Gives a file its name, unless another file has it. */
function give(draft: string, path: string): void {
  try {
    linkSync(draft, path);
    unlinkSync(draft);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    // Some file systems know no second name for a file.
    if (existsSync(path)) throw Object.assign(new Error("the file exists"), { code: "EEXIST" });
    renameSync(draft, path);
  }
}

const DRAFT = /\.(\d+\.\d+\.[0-9a-f]{8})-[^./]+\.draft$/;

/**
 * The name of each new file of a folder until its text is whole. It has the mark of the run that writes it. One name for
 * all keeps the folder as small as its files make it.
 */
export function draftIn(folder: string, mark: string, unique: string): string {
  return join(folder, `new.${mark}-${unique}.draft`);
}

/** Removes from some folders what runs of remit left that ended in the middle of writing a new file. */
export async function sweepDrafts(
  { cwd, process }: Pick<World, "cwd" | "process">,
  folders: readonly string[],
): Promise<void> {
  const { mark: own, isOver } = runMarkOf(process);
  // This run has written nothing yet: a draft with its mark is of an earlier process with the same number.
  const isLeft = (mark: string) => mark === own || isOver(mark);
  for (const folder of folders) {
    if ((await linkInProject(cwd, folder)) !== null) continue;
    const left = filesIn(folder).filter((name) => isLeft(DRAFT.exec(name)?.[1] ?? ""));
    for (const name of left) rmSync(join(folder, name), { force: true });
  }
}

/** The names in a folder; none where it cannot be read: what is written to it says why. */
export function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === "EUNKNOWN") throw error;
    return [];
  }
}
