import type { Git } from "./git.js";

/** The remotes of a checkout by name, as its own configuration has them; nothing else of it is read. */
export async function readRemotes(git: Git): Promise<ReadonlyMap<string, string>> {
  // git exits 1 where nothing matches.
  const found = await git(["config", "--local", "--no-includes", "--null", "--get-regexp", PATTERN]).catch(
    () => "",
  );
  const rows = found.split("\0").filter((row) => row.includes("\n"));
  return new Map(
    rows.map((row) => {
      const end = row.indexOf("\n");
      return [row.slice("remote.".length, end - ".url".length), row.slice(end + 1)];
    }),
  );
}

const PATTERN = "^remote\\..*\\.url$";
