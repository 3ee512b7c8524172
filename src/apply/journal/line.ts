import {
  type Expectation,
  isAddress,
  isCount,
  isFlag,
  isKey,
  isMap,
  isText,
  isTexts,
  type Members,
  oddMember,
  orAbsent,
  orNull,
} from "../../model/expectation.js";
import { isObject, parseJson } from "../../model/json.js";
import type { Action } from "../../plan/step.js";
import { RECORD } from "../../state/validity.js";
import type { Event, Outcome } from "../event.js";

/** Which run writes, and of which state. */
export interface Head {
  readonly type: "run";
  readonly run: string;
  readonly server: string;
  readonly lineage: string;
  /** The project that the state belongs to; absent where it has no name. */
  readonly project?: string;
  /** The effect of the plan that it applies. */
  readonly effect: string;
  /** The serial of the state that the run began with, 0 without one; a journal of an older remit does not say. */
  readonly serial?: number;
  /** The kinds of its creates whose objects the service did not show; absent where it shows all of them. */
  readonly unseen?: readonly string[];
}

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
  if (!isObject(line) || !isText(line.at) || !orAbsent(isText)(line.serverAt)) return undefined;
  const members =
    typeof line.type === "string" && Object.hasOwn(LINES, line.type) ? LINES[line.type] : undefined;
  if (members === undefined || oddMember(line, members) !== undefined) return undefined;
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

const oneOf =
  (words: Readonly<Record<string, true>>): Expectation =>
  (value) =>
    typeof value === "string" && Object.hasOwn(words, value);

const isRecord: Expectation = (value) => isObject(value) && oddMember(value, RECORD) === undefined;
const isDiagnostics: Expectation = (value) =>
  Array.isArray(value) && value.every((one) => isObject(one) && isText(one.code) && isText(one.message));

const isBackground: Expectation = (value) =>
  isObject(value) &&
  oddMember(value, { file: orAbsent(isText), labels: orAbsent(isMap), original: orAbsent(isMap) }) ===
    undefined;

const LINES: Readonly<Record<string, Members>> = {
  run: {
    run: isText,
    server: isText,
    lineage: isText,
    project: orAbsent(isText),
    effect: orAbsent(isText),
    serial: orAbsent(isCount),
    unseen: orAbsent(isTexts),
  },
  "set aside": {},
  intended: {
    address: isAddress,
    action: oneOf(ACTIONS),
    key: orNull(isKey),
    identity: isMap,
    applied: isMap,
    protected: isFlag,
    background: orAbsent(isBackground),
    step: orAbsent(orNull(isText)),
    deleted: orAbsent(isMap),
    call: isCount,
    of: isCount,
    once: orAbsent(isFlag),
  },
  answered: {
    address: isAddress,
    call: isCount,
    of: isCount,
    key: orNull(isKey),
    requestId: orAbsent(isText),
  },
  looking: { address: isAddress, milliseconds: isCount, why: isText },
  "step finished": {
    address: isAddress,
    action: oneOf(ACTIONS),
    outcome: oneOf(OUTCOMES),
    step: orAbsent(orNull(isText)),
    deleted: orAbsent(isMap),
    key: orNull(isKey),
    record: orNull(isRecord),
    existing: orAbsent(isText),
    since: orAbsent(isText),
    diagnostics: isDiagnostics,
  },
};
