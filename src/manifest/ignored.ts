import ignore, { type Ignore } from "ignore";

/** The rules of one `.remitignore`, and the folder they count from, as the walk knows it. */
export interface IgnoreRules {
  readonly folder: string;
  readonly ignore: Ignore;
}

/** Reads the text of a `.remitignore` that stands in `folder`. */
export function readRules(folder: string, text: string): IgnoreRules {
  return { folder, ignore: ignore().add(text) };
}

/**
 * Whether a path is left out, as git would decide: the nearest `.remitignore` that says anything of it decides.
 * `rules` are those of the folders above it, the outermost first; a folder's path ends with a slash.
 */
export function isIgnored(rules: readonly IgnoreRules[], path: string): boolean {
  if (rules.length === 0) return false;
  for (const { folder, ignore } of rules.toReversed()) {
    const { ignored, unignored } = ignore.test(path.slice(folder.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
