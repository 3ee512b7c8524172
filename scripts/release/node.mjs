// The pinned program of Node, which becomes the executable and builds everything, so that no other version shows in the bytes.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkFetched } from "./checksum.mjs";
import pins from "./pins.json" with { type: "json" };
import { refusal } from "./refusal.mjs";

/**
 * Fetches the program from the npm registry, which has Node's own build in a package, unless the folder has it.
 * @param {string} into
 */
export function pinnedNode(into) {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw refusal(`A release is built on linux-x64, and this is ${process.platform}-${process.arch}.`);
  const { version, sha256 } = pins.node;
  const folder = join(into, version);
  const file = join(folder, "package", "bin", "node");
  const found = { folder: dirname(file), file, licence: join(folder, "package", "LICENSE") };
  if (!existsSync(file)) fetchInto(folder);
  checkFetched({ name: `Node ${version}`, file, expected: sha256, where: "scripts/release/pins.json" });
  return found;
}

function fetchInto(folder) {
  const { version, package: name } = pins.node;
  mkdirSync(folder, { recursive: true });
  const pack = ["pack", "--silent", `${name}@${version}`, "--pack-destination", folder];
  execFileSync("npm", pack, { stdio: ["ignore", "ignore", "inherit"] });
  const tarball = join(folder, `${name}-${version}.tgz`);
  execFileSync("tar", ["-xzf", tarball, "-C", folder]);
  rmSync(tarball);
}
