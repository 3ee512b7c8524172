import { mkdir, readFile, realpath, unlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Run } from "../../cli/run/run.js";
import { linkInProject, noneThere, throughLink } from "../../cli/world/links.js";
import { reasonOf } from "../../cli/world/reason.js";
import { tryToWrite } from "../../cli/world/write.js";
import { isWithin } from "../../manifest/files.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { codeOf } from "../../state/fault.js";
import { say } from "../../words/say.js";
import type { AcceptedFile } from "./files.js";

/** A mark that some editors put at the beginning; manifests are read without it. */
const MARK = "\uFEFF";

/** Why a file must not be written: it is outside the project, a stream, or behind a link. */
export async function unwritableIn({ project }: Run, { file }: AcceptedFile): Promise<readonly Diagnostic[]> {
  const path = resolve(project.root, file);
  const isInside = file !== "-" && isWithin(project.root, path);
  if (!isInside) return [say("accept/outside", { file: file === "-" ? "standard input" : file })];
  const link = await linkInProject(project.root, path);
  if (link !== null) return [throughLink(file, link, project.root)];
  const [root, real] = await Promise.all([realpath(project.root), realpath(path).catch(() => path)]);
  return isWithin(root, real)
    ? []
    : [say("accept/outside", { file: file === "-" ? "standard input" : file })];
}

/** Writes a file whole, or removes it, unless it changed since it was read. Gives the errors. */
export async function writeFile(
  { world, project }: Run,
  { file, before, after }: AcceptedFile,
): Promise<readonly Diagnostic[]> {
  const path = resolve(project.root, file);
  try {
    const now = await readFile(path, "utf8").catch(noneThere);
    const mark = now?.startsWith(MARK) === true ? MARK : "";
    if ((now?.slice(mark.length) ?? null) !== before) return [say("accept/changed-file#changed", { file })];
    if (after === null) {
      await unlink(path);
      return [];
    }
    if (now === null) await mkdir(dirname(path), { recursive: true });
    const place = { ...world, cwd: project.root };
    return tryToWrite(place, { path, shown: file, text: `${mark}${after}`, access: "open" });
  } catch (error) {
    const code = codeOf(error);
    if (code === "EUNKNOWN") throw error;
    return [say("file/unwritable#failed", { file, code: reasonOf(code) })];
  }
}
