import type { Checked } from "../../model/diagnostic.js";
import { say } from "../../words/say.js";

/** A resource's labels. */
export type Labels = Readonly<Record<string, string>>;

const SPLIT = /,(?![^(]*\))/;
const NAME = `([A-Za-z0-9](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?)`;
const IN = new RegExp(`^${NAME}\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const EQUALS = new RegExp(`^${NAME}\\s*(==?|!=)\\s*([A-Za-z0-9._-]*)$`);
const HAS = new RegExp(`^(!?)\\s*${NAME}$`);

type Test = (labels: Labels) => boolean;

/** Reads a selector as kubectl's `-l` does: `team=security,tier!=low,stage in (a, b),!draft`; an empty one takes all. */
export function parseSelector(text: string): Checked<Test> {
  const terms = text
    .split(SPLIT)
    .map((term) => term.trim())
    .filter((term) => term !== "");
  const tests = terms.map((term) => ({ term, test: parseTerm(term) }));
  const bad = tests.filter(({ test }) => test === undefined);
  return {
    value: (labels) => tests.every(({ test }) => test?.(labels) ?? false),
    diagnostics: bad.map(({ term }) => say("plan/bad-selector", { term })),
  };
}

function parseTerm(term: string): Test | undefined {
  const among = IN.exec(term);
  if (among !== null) {
    const [, name = "", how, list = ""] = among;
    const values = list.split(",").map((value) => value.trim());
    return (labels) => values.some((value) => value === label(labels, name)) === (how === "in");
  }
  const equals = EQUALS.exec(term);
  if (equals !== null) {
    const [, name = "", sign, value] = equals;
    return (labels) => (label(labels, name) === value) === (sign !== "!=");
  }
  const has = HAS.exec(term);
  if (has === null) return undefined;
  const [, not, name = ""] = has;
  return (labels) => (label(labels, name) !== undefined) === (not === "");
}

function label(labels: Labels, name: string): string | undefined {
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}

/** What has labels of an object beside its manifest. `earlier manifest` is the one at the commit of `--since`. */
export const LABEL_SOURCES = ["reviewed branch", "state", "earlier manifest"] as const;

/** One of them. */
export type LabelSource = (typeof LABEL_SOURCES)[number];

/** The labels of an object elsewhere than in its manifest. */
export interface OtherLabels {
  readonly by: LabelSource;
  /** Null where they are unknown. */
  readonly labels: Labels | null;
}
