import { isObject, type Json } from "./json.js";

/** The way from a value to one inside it: member names and list positions. */
export type Path = readonly (string | number)[];

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** A path as a reader sees it: `scope.entitlements[3].appId`; odd names are quoted. */
export function formatPath(path: Path): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else if (!PLAIN_NAME.test(part)) text += `[${JSON.stringify(part)}]`;
    else text += text === "" ? part : `.${part}`;
  }
  return text;
}

/** The value a path leads to, or undefined where it leads nowhere. */
export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let here = value;
  for (const part of path) {
    if (Array.isArray(here) && typeof part === "number") here = here[part];
    else if (isObject(here) && Object.hasOwn(here, part)) here = here[part];
    else return undefined;
  }
  return here;
}
