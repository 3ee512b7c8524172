import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { readSources } from "../../manifest/files.js";
import type { Context } from "../run/context.js";
import { manifestPaths, openProject, valuesFilesOf } from "../settings/project.js";
import { addressesInState, contextAmong, offer } from "./remembered.js";

/** The addresses in the manifests that an unfinished command line names, and without paths those of removed objects. */
export function writtenAddresses(context: Context): Promise<readonly string[]> {
  const { world, words } = context;
  return offer(async () => {
    const { value: project } = await openProject(world, contextAmong(words), "unchecked");
    const named = pathsAmong(words, world.cwd);
    const { value: sources } = await readSources({
      paths: manifestPaths(world, project, named),
      cwd: project.root,
    });
    const paths = valuesFilesOf(project);
    const { addressesIn } = await import("../../manifest/expand/addresses.js");
    const { readVocabulary } = await import("../../manifest/vocabulary.js");
    const { vocabulary } = await readVocabulary({
      cwd: project.root,
      values: paths,
      contexts: project.contexts,
    });
    const written = sources.flatMap((source) => addressesIn(source, vocabulary));
    // A path never selects a removed object.
    const removed = named.length > 0 ? [] : await addressesInState(context).catch(() => []);
    return [...written, ...removed];
  });
}

/** The manifests that the line already names; the word after a flag may be its value. */
function pathsAmong([, ...words]: readonly string[], cwd: string): readonly string[] {
  return words.filter((word, place) => {
    const isFlagged = word.startsWith("-") || words[place - 1]?.startsWith("-") === true;
    return word !== "" && !isFlagged && extname(word) !== ".json" && existsSync(resolve(cwd, word));
  });
}
