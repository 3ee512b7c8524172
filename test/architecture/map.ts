import { readdirSync } from "node:fs";
import { parseSync } from "oxc-parser";

/** One question of a newcomer: the file that answers it and the export to read there. */
export interface Question {
  readonly question: string;
  readonly file: string;
  readonly read: string;
}

/** The folders that CONTRIBUTING.md names, in its order, rooms behind their folder. */
export function foldersIn(page: string): readonly string[] {
  return rowsOf(page, "folder").flatMap(([folder = "", , rooms = ""]) => {
    const path = code(folder);
    return [path, ...[...rooms.matchAll(/`([a-z0-9]+\/)`/gi)].map(([, room]) => `${path}${room}`)];
  });
}

/** The questions of CONTRIBUTING.md, in its order. */
export function questionsIn(page: string): readonly Question[] {
  return rowsOf(page, "question +\\| file +\\| read").map(([question = "", file = "", read = ""]) => ({
    question,
    file: code(file),
    read: code(read),
  }));
}

/** The folders of `src/` and the folders in them, two levels deep. */
export function foldersOf(root: string): readonly string[] {
  return subfolders(root).flatMap((folder) => [folder, ...subfolders(folder)]);
}

/** The names that a file exports. */
export function exportsOf(path: string, text: string): readonly string[] {
  return parseSync(path, text).module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName }) => (exportName.name === null ? [] : [exportName.name])),
  );
}

function subfolders(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${folder}${entry.name}/`)
    .sort();
}

/** The rows of the last table whose first column has this title. */
function rowsOf(document: string, title: string): readonly (readonly string[])[] {
  const table = document.split("\n\n").findLast((part) => new RegExp(`^\\| ${title} +\\|`).test(part)) ?? "";
  const rows = table.split("\n").slice(2);
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function code(cell: string): string {
  return cell.replaceAll("`", "");
}
