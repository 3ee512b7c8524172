import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { parse, readSources, type Source } from "../../entry/documents.js";
import { type Address, isObject } from "../../entry/values.js";
import type { Context } from "../commandLine/context.js";
import { manifestPaths, openProject } from "../project/project.js";
import { offer } from "./offer.js";

/** The addresses in the manifests that an unfinished command line names. */
export function writtenAddresses({ world, words }: Context): Promise<readonly string[]> {
  return offer(async () => {
    const { value: project } = await openProject(world, {}, "as it is");
    const paths = manifestPaths(world, project, pathsAmong(words, world.cwd));
    const { value: sources } = await readSources({ paths, cwd: project.root });
    return sources.filter(({ text }) => text.includes(SIGN)).flatMap(addressesIn);
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
