import { type Dirent, readdirSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import type { About, Listed, Tree } from "./tree.js";

/** The files of this machine. */
export const disk: Tree = {
  real: (path) => realpathSync(path),
  about(path) {
    const about = statSync(path, { throwIfNoEntry: false });
    return about === undefined ? null : { is: kindOf(about), size: about.size };
  },
  list: (folder) =>
    readdirSync(folder, { withFileTypes: true }).map(
      (entry): Listed => ({ name: entry.name, is: entry.isSymbolicLink() ? "link" : kindOf(entry) }),
    ),
  text: (path) => readFileSync(path, "utf8"),
  bytes: (path) => readFileSync(path),
};

function kindOf(entry: Stats | Dirent): About["is"] {
  if (entry.isDirectory()) return "folder";
  return entry.isFile() ? "file" : "other";
}
