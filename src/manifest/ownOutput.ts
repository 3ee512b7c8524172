import { isObject, type Json, type JsonObject, parseJson } from "../model/json.js";
import type { Source } from "./source.js";

/** What a text that remit wrote is called, and how it is recognised: by its members, whatever its file is called. */
interface Output {
  readonly name: string;
  readonly is: (document: JsonObject) => boolean;
}

const OUTPUTS: readonly Output[] = [
  { name: "a saved plan", is: has("formatVersion", "seal", "effect", "plan") },
  { name: "a report of a plan", is: has("formatVersion", "server", "effect", "counts", "steps") },
  { name: "a report of an apply", is: has("formatVersion", "server", "effect", "outcomes", "steps") },
  { name: "a report of a failure", is: has("formatVersion", "failure", "exitCode", "diagnostics") },
  { name: "a list of diagnostics", is: has("formatVersion", "counts", "diagnostics") },
  { name: "a summary", is: has("formatVersion", "result", "exitCode", "counts", "diagnostic") },
  { name: "a SARIF report", is: isSarif },
  { name: "a count of changes for GitLab", is: isCount },
  { name: "a state", is: has("formatVersion", "lineage", "serial", "entries") },
  { name: "a list of the state", is: has("objects", "completeness") },
  { name: "a list of settings", is: isSettings },
  { name: "the data of a sandbox", is: has("format", "tenant") },
];

/** How the texts begin that may be too large to be read whole. */
const BEGINNINGS: readonly (readonly [name: string, beginning: RegExp])[] = [
  ["a saved plan", /^\{\s*"effect":\s*"sha256:[0-9a-f]{64}",\s*"formatVersion":\s*\d+,\s*"plan":\s*\{/],
  ["a state", /^\{\s*"formatVersion":\s*\d+,\s*"writtenBy":\s*"/],
  ["a report", /^\{\s*"formatVersion":\s*\d+,\s*"server":\s*"/],
  ["the data of a sandbox", /^\{\s*"format":\s*\d+,\s*"tenant":\s*\{/],
];

/** What every page that remit writes says of itself, near its beginning. */
const REPORT_PAGE = /^<!doctype html>[\s\S]{0,2000}<meta name="generator" content="remit">/i;

/** So much of a text tells what it is, where it is too large. */
export const BEGINNING = 4096;

/** What of remit's own outputs a JSON file is, whole or its beginning; null for anything else. */
export function ownOutput({ file, text }: Pick<Source, "file" | "text">): string | null {
  if (REPORT_PAGE.test(text)) return "a page of a report";
  if (!file.toLowerCase().endsWith(".json")) return null;
  const document = parseJson(text);
  if (Array.isArray(document)) return isCodeQuality(document) ? "a Code Quality report" : null;
  if (isObject(document)) {
    const output = "apiVersion" in document ? undefined : OUTPUTS.find(({ is }) => is(document));
    return output?.name ?? null;
  }
  const [first = ""] = text.split("\n", 1);
  if (isEvent(parseJson(first))) return "a stream of events";
  return BEGINNINGS.find(([, beginning]) => beginning.test(text))?.[0] ?? null;
}

function has(...members: readonly string[]): Output["is"] {
  return (document) => members.every((name) => Object.hasOwn(document, name));
}

function isSarif({ version, runs }: JsonObject): boolean {
  const [run] = Array.isArray(runs) ? runs : [];
  const tool = isObject(run) ? run.tool : undefined;
  const driver = isObject(tool) ? tool.driver : undefined;
  return typeof version === "string" && isObject(driver) && driver.name === "remit";
}

/** The three counts and nothing else, or why there are none. */
function isCount(document: JsonObject): boolean {
  const names = Object.keys(document);
  return (
    (names.length === 3 &&
      ["create", "update", "delete"].every((name) => typeof document[name] === "number")) ||
    (names.length === 1 && typeof document.failure === "string")
  );
}

function isCodeQuality(list: readonly Json[]): boolean {
  const isRow = has("description", "check_name", "fingerprint", "severity", "location");
  return list.length > 0 && list.every((row) => isObject(row) && isRow(row));
}

/** A line of the stream of events, or of the journal. */
function isEvent(line: Json | undefined): boolean {
  return isObject(line) && typeof line.at === "string" && typeof line.type === "string";
}

function isSettings({ server, state, variables }: JsonObject): boolean {
  return [server, state].every((one) => isObject(one) && "from" in one) && isObject(variables);
}
