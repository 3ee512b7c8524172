import {
  type Expectation,
  hasMembers,
  isAddress,
  isCount,
  isFlag,
  isKey,
  isListOf,
  isMap,
  isText,
  type Members,
  misfit,
  orAbsent,
  orNull,
  such,
} from "../../model/expectation.js";
import { isObject, parseJson } from "../../model/json.js";
import type { Action } from "../../plan/step.js";
import { FORMAT } from "../../state/format.js";
import { HEAD, type Head } from "../../state/journalHead.js";
import { RECORD } from "../../state/validity.js";
import type { Event, Outcome } from "../event.js";

/** A person looked for what the lines before it did that cannot be read: they do not count any more. */
interface SetAside {
  readonly type: "set aside";
}

/** What a run meant to send, and what was answered. */
export type Intended = Extract<Event, { readonly type: "intended" }>;
export type Answered = Extract<Event, { readonly type: "answered" }>;
type Looking = Extract<Event, { readonly type: "looking" }>;

/** One line of a journal, and when it was written. */
export type JournalLine = { readonly at: string; readonly serverAt?: string } & (
  | Head
  | Intended
  | Answered
  | Looking
  | SetAside
  | Extract<Event, { readonly type: "step finished" }>
);

/** Reads a line of a journal; undefined for one that no run of remit wrote. */
export function readLine(text: string): JournalLine | undefined {
  const line = parseJson(text);
  if (!isObject(line) || misfit(line, TIMES) !== null) return undefined;
  const members =
    typeof line.type === "string" && Object.hasOwn(LINES, line.type) ? LINES[line.type] : undefined;
  if (members === undefined || misfit(line, members) !== null) return undefined;
  // Its members have just been looked at.
  return line as unknown as JournalLine;
}

const ACTIONS: Readonly<Record<Action, true>> = {
  create: true,
  update: true,
  set: true,
  replace: true,
  adopt: true,
  delete: true,
  forget: true,
  removed: true,
  keep: true,
  blocked: true,
};
const OUTCOMES: Readonly<Record<Outcome, true>> = {
  done: true,
  failed: true,
  skipped: true,
  refused: true,
  left: true,
  uncertain: true,
};

const TIMES: Members = { at: isText, serverAt: orAbsent(isText) };

const oneOf = (words: Readonly<Record<string, true>>): Expectation =>
  such((value) => typeof value === "string" && Object.hasOwn(words, value));

const BACKGROUND: Members = { file: orAbsent(isText), labels: orAbsent(isMap), original: orAbsent(isMap) };

const LINES: Readonly<Record<string, Members>> = {
  run: { ...HEAD, formatVersion: such((value) => value === FORMAT) },
  "set aside": {},
  intended: {
    address: isAddress,
    action: oneOf(ACTIONS),
    key: orNull(isKey),
    identity: isMap,
    applied: isMap,
    protected: isFlag,
    background: hasMembers(BACKGROUND),
    step: isText,
    deleted: orAbsent(isMap),
    call: isCount,
    of: isCount,
    once: isFlag,
    written: orAbsent(isMap),
  },
  answered: {
    address: isAddress,
    call: isCount,
    of: isCount,
    key: orNull(isKey),
    requestId: orAbsent(isText),
    written: orAbsent(isMap),
  },
  looking: { address: isAddress, milliseconds: isCount, why: isText },
  "step finished": {
    address: isAddress,
    action: oneOf(ACTIONS),
    outcome: oneOf(OUTCOMES),
    step: orNull(isText),
    deleted: orAbsent(isMap),
    key: orNull(isKey),
    record: orNull(hasMembers(RECORD)),
    existing: orAbsent(isText),
    since: orAbsent(isText),
    diagnostics: isListOf(hasMembers({ code: isText, message: isText })),
  },
};
