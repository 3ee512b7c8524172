import { extname, resolve } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { isObject, parseJson } from "../../model/json.js";
import { measured, type Speed } from "../../plan/estimate.js";
import type { Planned } from "../../plan/plan.js";
import { writePlan } from "../../plan/saved/effect.js";
import type { SavedPlan } from "../../plan/saved/read.js";
import { say } from "../../words/say.js";
import { readNamedFile } from "../world/namedFile.js";
import type { World } from "../world/world.js";
import { tryToWrite } from "../world/write.js";

/**
 * Saves a plan so that only its owner can read it: it contains all that will be sent. What was measured with it is kept
 * beside it. Gives the errors.
 */
export function savePlan(
  world: World,
  plan: Planned,
  file: string,
  speed: Speed | null = null,
): Promise<readonly Diagnostic[]> {
  const { text } = writePlan(plan, measured(plan, speed).estimate);
  return tryToWrite(world, { path: resolve(world.cwd, file), shown: file, text, access: "private" });
}

/** Reads a saved plan, or the one inside a page; null, with the reason, for one that cannot be used. */
export async function readPlan(world: World, file: string): Promise<Checked<SavedPlan | null>> {
  const read = await readNamedFile(world, file);
  if (read.text === null)
    return { value: null, diagnostics: [say("plan/unreadable#unreadableFile", { file, why: read.why })] };
  const text = unpackPlan(read.text) ?? read.text;
  const why = unreadable(text);
  if (why !== null)
    return { value: null, diagnostics: [say("plan/unreadable#unreadableFile", { file, why })] };
  // Most runs read none, and the check of one is larger than the rest of a plan.
  const { readSavedPlan } = await import("../../plan/saved/read.js");
  return readSavedPlan(text);
}

/**
 * The saved plan that the paths of a command name; null where they name manifests. A manifest may be JSON, too: only a
 * file that is clearly one is read as a manifest.
 */
export async function savedPlanAmong(
  world: World,
  paths: readonly string[],
): Promise<Checked<SavedPlan | null> | null> {
  const [first, ...more] = paths;
  if (first === undefined || more.length > 0) return null;
  if (/^\.html?$/i.test(extname(first))) return aboutPage(world, first);
  if (extname(first) !== ".json") return null;
  const read = await readNamedFile(world, first);
  if (read.text !== null && isManifest(read.text)) return null;
  return readPlan(world, first);
}

/** What to say of the page of a plan, which is for people to read; null for any other file. */
async function aboutPage(world: World, file: string): Promise<Checked<null> | null> {
  const read = await readNamedFile(world, file);
  if (read.text === null || unpackPlan(read.text) === null) return null;
  return {
    value: null,
    diagnostics: [say("plan/unreadable#aboutPage", { file })],
  };
}

const PAGE = /^<!doctype html>/i;

/** Why a text cannot be a saved plan; null where it is JSON. */
function unreadable(text: string): string | null {
  if (text.trim() === "") return text === "" ? "it is empty" : "it is blank";
  if (text.startsWith("\uFEFF")) return "it begins with a byte order mark, which remit never writes";
  if (PAGE.test(text)) return "it is a page without a whole plan in it";
  return parseJson(text) === undefined ? "it is not JSON, it breaks off, or it nests too deep" : null;
}

function isManifest(text: string): boolean {
  const value = parseJson(text);
  return isObject(value) && "apiVersion" in value && !("plan" in value);
}

/** A saved plan as a page contains it: gzip in base64. */
export function packPlan(text: string): string {
  return gzipSync(text, { level: 9 }).toString("base64");
}

const PACKED = /<script type=application\/gzip id="remit-plan">([A-Za-z0-9+/=]*)<\/script>\s*<script>/;
/** So many bytes a plan may have: a page from outside may contain few bytes that become very many. */
const MOST = 512 * 1024 * 1024;

/**
 * The saved plan inside a page that `--report html=FILE` wrote; null for any other text, and for a page whose plan is
 * damaged or too large. What the page shows is not read: only the plan, which has its seal.
 */
export function unpackPlan(page: string): string | null {
  if (!/^<!doctype html>/i.test(page)) return null;
  const [, packed] = PACKED.exec(page) ?? [];
  if (packed === undefined) return null;
  try {
    return gunzipSync(Buffer.from(packed, "base64"), { maxOutputLength: MOST }).toString("utf8");
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    return null;
  }
}
