import { isObject, type Json } from "../../model/json.js";
import { canonicalDuration } from "../../schema/duration.js";
import type { Row } from "./row.js";

type Form<T> = Required<Pick<Row<T>, "read" | "noun">>;

/** Reads a text that is not empty. */
export function text(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Reads a list of texts. */
export function texts(value: Json | undefined): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}

/** How a whole number between two bounds is read, and what it is called. */
export function whole(least: number, most: number): Form<number> {
  return {
    noun: `a whole number from ${least} to ${most}`,
    read: (value) => {
      const number = typeof value === "string" ? Number(value) : value;
      return typeof number === "number" && Number.isInteger(number) && number >= least && number <= most
        ? number
        : undefined;
    },
  };
}

/** How a number between two bounds is read, and what it is called. */
export function number(least: number, most: number): Form<number | null> {
  return {
    noun: `a number from ${least} to ${most}`,
    read: (value) => {
      const number = typeof value === "string" ? Number(value) : value;
      return typeof number === "number" && number >= least && number <= most ? number : undefined;
    },
  };
}

/** How a duration is read, in milliseconds, and what it is called. */
export const MILLISECONDS: Form<number> = {
  noun: "a duration such as 30s",
  read: (value) => {
    const duration = typeof value === "string" ? canonicalDuration(value) : undefined;
    const seconds = duration === undefined ? 0 : Number.parseFloat(duration);
    return seconds > 0 ? seconds * 1000 : undefined;
  },
};

/** Reads a list of objects, each with its place in the list. */
export function list<T>(
  value: Json | undefined,
  read: (one: Readonly<Record<string, Json | undefined>>, place: number) => T,
): readonly T[] | undefined {
  return Array.isArray(value) ? value.filter(isObject).map(read) : undefined;
}
