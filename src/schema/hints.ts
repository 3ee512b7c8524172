import { canonicalDuration } from "./duration.js";
import { areChosenOnce, type Groups } from "./groups.js";
import { areAvoided, type Mistake } from "./mistakes.js";
import { canonicalTimestamp, isDay } from "./timestamp.js";

const FORMS: Readonly<Record<string, (text: string) => string | undefined>> = {
  duration: canonicalDuration,
  timestamp: canonicalTimestamp,
  day: (text) => (isDay(text) ? text : undefined),
};

/** The hints of a schema that are rules as well: each makes, from what the schema says, the test of a value. */
export const HINTS = {
  "x-enum": {
    type: "string",
    test(known: readonly string[]) {
      const values = new Set(["", ...known]);
      return (text: string) => values.has(text);
    },
  },
  "x-form": {
    type: "string",
    test(form: string) {
      const spell = FORMS[form] ?? ((text) => text);
      return (text: string) => text === "" || spell(text) !== undefined;
    },
  },
  "x-groups": { type: "object", test: (groups: Groups) => areChosenOnce(groups) },
  "x-mistakes": { type: "object", test: (mistakes: readonly Mistake[]) => areAvoided(mistakes) },
} as const satisfies Readonly<
  Record<string, { readonly type: string; readonly test: (said: never) => (value: never) => boolean }>
>;
