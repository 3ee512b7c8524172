// Whether a commit can be released, and what its release notes say.
import { refusal } from "./refusal.mjs";

/**
 * Refuses a tag that is not the version. Null is a dry run, which needs no tag.
 * @param {string | null} tag
 * @param {string} version
 */
export function checkTag(tag, version) {
  if (tag !== null && tag !== `v${version}`)
    throw refusal(
      `The tag ${tag} is not the version ${version} of package.json. Use the tag v${version}, or change the version first.`,
    );
}

/**
 * Refuses a checkout with changes: a release is built from a commit.
 * @param {string} status as `git status --porcelain` prints it
 */
export function checkTree(status) {
  const files = status.split("\n").filter((line) => line !== "");
  if (files.length === 0) return;
  const shown = files.slice(0, 5).map((line) => line.slice(3));
  const more = files.length > shown.length ? ` and ${files.length - shown.length} more` : "";
  throw refusal(
    `The checkout has changes that are not committed: ${shown.join(", ")}${more}. Commit or stash them: a release is built from a commit.`,
  );
}

/**
 * The release notes: the changelog's entry of the version. A dry run also takes what is not released yet.
 * @param {string} changelog
 * @param {string} version
 * @param {boolean} isDryRun
 */
export function releaseNotes(changelog, version, isDryRun) {
  const titles = isDryRun ? [version, "Unreleased"] : [version];
  for (const title of titles) {
    const entry = entryOf(changelog, title);
    if (entry !== "") return `${entry}\n`;
  }
  throw refusal(
    `CHANGELOG.md has no entry for ${version}. Write what changed below the heading "## [${version}] - YYYY-MM-DD".`,
  );
}

function entryOf(changelog, title) {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => section.startsWith(`[${title}]`));
  return found?.slice(found.indexOf("\n")).trim() ?? "";
}
