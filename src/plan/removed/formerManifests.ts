import type { EarlierProject } from "../../manifest/git/earlierProject.js";
import { checkAll } from "../../manifest/load.js";
import type { UnclearFile } from "../../manifest/unclearFile.js";
import { NO_VOCABULARY } from "../../manifest/vocabulary.js";
import type { Former } from "../../manifest/withUnclearFiles.js";
import type { Snapshot } from "../../state/snapshot.js";

/**
 * Where manifests stood that the project may have lost. The state records them for each object; the commit of `--since`
 * has its own texts of the unclear files.
 */
export function formerManifests(
  unclear: readonly UnclearFile[],
  since: EarlierProject | null,
  snapshot: Snapshot | null,
): readonly Former[] {
  const files = new Set(unclear.map(({ file }) => file));
  const sources = (since?.sources ?? []).filter(({ file }) => files.has(file));
  return [
    ...Object.values(snapshot?.entries ?? {}).map(({ address, file }) => ({ address, file })),
    ...checkAll(sources, since?.vocabulary ?? NO_VOCABULARY).resources,
  ];
}
