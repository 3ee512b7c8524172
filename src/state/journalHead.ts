import { isCount, isText, isTexts, type Members, orAbsent } from "../model/expectation.js";
import { isObject, parseJson } from "../model/json.js";
import { checkFormat, type FORMAT } from "./format.js";
import { misfitOf } from "./validity.js";

/** How a run begins its journal: which run writes, and of which state. */
export interface Head {
  readonly type: "run";
  readonly formatVersion: typeof FORMAT;
  readonly run: string;
  readonly server: string;
  readonly lineage: string;
  /** The project that the state belongs to; absent where it has no name. */
  readonly project?: string;
  /** The effect of the plan that it applies. */
  readonly effect: string;
  /** The serial of the state that the run began with, 0 without one. */
  readonly serial: number;
  /** The kinds of its creates whose objects the service did not show; absent where it shows all of them. */
  readonly unseen?: readonly string[];
}

/** What a head consists of, beside its type and its format. */
export const HEAD: Members = {
  at: isText,
  run: isText,
  server: isText,
  lineage: isText,
  project: orAbsent(isText),
  effect: isText,
  serial: isCount,
  unseen: orAbsent(isTexts),
};

/** Throws a `StateError` where a run began a journal in another format. */
export function checkHeads(lines: readonly string[], name: string): void {
  for (const line of lines) {
    if (!line.includes('"type":"run"')) continue;
    const head = parseJson(line);
    if (isObject(head) && head.type === "run")
      checkFormat(head, `the journal of ${name}`, misfitOf(head, HEAD));
  }
}
