import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { parse, readSources, type Source } from "../../entry/documents.js";
import { type Address, isObject } from "../../entry/values.js";
import type { Context } from "../run/context.js";
import { manifestPaths, openProject } from "../settings/project.js";
import { offer } from "./offer.js";
import { addressesInState } from "./remembered.js";

/** The addresses in the manifests that an unfinished command line names, and without paths those of removed objects. */
export function writtenAddresses(context: Context): Promise<readonly string[]> {
  const { world, words } = context;
  return offer(async () => {
    const { value: project } = await openProject(world, {}, "unchecked");
    const named = pathsAmong(words, world.cwd);
    const { value: sources } = await readSources({
      paths: manifestPaths(world, project, named),
      cwd: project.root,
    });
    const written = sources.filter(({ text }) => text.includes(SIGN)).flatMap(addressesIn);
    // A path never selects a removed object.
    const removed = named.length > 0 ? [] : await addressesInState(context).catch(() => []);
    return [...written, ...removed];
  });
}

/** Every manifest contains this text; a file without it is not parsed. */
const SIGN = "remit/";

/** Reads addresses without checking a schema: an unfinished manifest already has its address. */
function addressesIn(source: Source): readonly Address[] {
  return parse(source).value.flatMap(({ value }) => {
    if (!isObject(value) || !isObject(value.metadata)) return [];
    const { apiVersion, kind, metadata } = value;
    const isOurs = typeof apiVersion === "string" && apiVersion.startsWith(SIGN);
    return isOurs && typeof kind === "string" && typeof metadata.name === "string"
      ? [{ kind, name: metadata.name }]
      : [];
  });
}

/** The manifests that the line already names; the word after a flag may be its value. */
function pathsAmong([, ...words]: readonly string[], cwd: string): readonly string[] {
  return words.filter((word, place) => {
    const isFlagged = word.startsWith("-") || words[place - 1]?.startsWith("-") === true;
    return word !== "" && !isFlagged && extname(word) !== ".json" && existsSync(resolve(cwd, word));
  });
}
