import { parseJson } from "../model/json.js";
import type { Contents } from "./store.js";

/** One state of a repository, a bucket, a database or a folder. */
export interface StoredState {
  /** What `state:` names it by, without a password. */
  readonly address: string;
  /** Null where it names none. */
  readonly project: string | null;
  /** How often it was saved; null where it has only a lock or a journal. */
  readonly serial: number | null;
  readonly held: Contents["held"];
}

/** The project that the text of a kept snapshot names, by its first lines; null where it names none. */
export function projectIn(text: string): string | null {
  const project = parseJson(
    /^ {2}"project": (".*"),$/m.exec(text.split('\n  "entries"')[0] ?? "")?.[1] ?? "",
  );
  return typeof project === "string" ? project : null;
}
