// Archives whose bytes depend on nothing but the names, modes and bytes of the files in them.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";

/** The time that npm gives the files of every package, in seconds. */
const TIME = 499162500;

/**
 * Archives what a folder contains; all of it belongs to root.
 * @param {string} folder
 * @param {string} file
 */
export function archive(folder, file) {
  const names = readdirSync(folder).sort();
  const owner = ["--owner=0", "--group=0", "--numeric-owner"];
  const order = ["--sort=name", `--mtime=@${TIME}`, "--format=gnu"];
  execFileSync("tar", [...order, ...owner, "-C", folder, "-cf", file, "--", ...names], {
    env: { ...process.env, LC_ALL: "C" },
  });
}
