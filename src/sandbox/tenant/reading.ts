import { isObject, type Json, type JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";

/** What is wrong with something that was written by hand, and where in it. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
}

/** Thrown by a reader that cannot make sense of a value; holds all that is wrong with it. */
export class Unreadable extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => problem.message).join("; "));
    this.problems = problems;
  }
}

/** Makes something of a value, undefined where there is none; throws an `Unreadable`. */
export type Read<T> = (value: Json | undefined, path: Path) => T;

/** Refuses a value. */
export function refuse(path: Path, message: string): never {
  throw new Unreadable([{ path, message }]);
}

/** A text that is not empty. */
export const text: Read<string> = (value, path) =>
  typeof value === "string" && value !== "" ? value : refuse(path, "must be a text that is not empty");

/** Yes or no. */
export const flag: Read<boolean> = (value, path) =>
  typeof value === "boolean" ? value : refuse(path, "must be true or false");

/** An object of any fields. */
const anyObject: Read<JsonObject> = (value, path) =>
  isObject(value) ? value : refuse(path, "must be an object");

/** A number within bounds, both included. */
export function number(least: number, most = Number.MAX_SAFE_INTEGER): Read<number> {
  const words = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`;
  return (value, path) =>
    typeof value === "number" && value >= least && value <= most
      ? value
      : refuse(path, `must be a number ${words}`);
}

/** One of the values. */
export function oneOf<const T extends string | number>(...values: readonly T[]): Read<T> {
  return (value, path) =>
    values.find((each) => each === value) ?? refuse(path, `must be one of ${values.join(", ")}`);
}

/** Undefined without a value. */
export function optional<T>(read: Read<T>): Read<T | undefined> {
  return (value, path) => (value === undefined || value === null ? undefined : read(value, path));
}

/** Every item read; none without a value. */
export function listOf<T>(read: Read<T>): Read<readonly T[]> {
  return (value, path) => {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) return refuse(path, "must be a list");
    return gather(value.map((item: Json, place) => () => read(item, [...path, place])));
  };
}

/** Two items. */
export function pairOf<T>(read: Read<T>): Read<readonly [T, T]> {
  return (value, path) => {
    const [one, other, ...rest] = listOf(read)(value, path);
    if (one === undefined || other === undefined || rest.length > 0)
      return refuse(path, "must be two values");
    return [one, other];
  };
}

type Fields = Readonly<Record<string, Read<unknown>>>;
type Told<F extends Fields> = { readonly [K in keyof F]: F[K] extends Read<infer T> ? T : never };

/** An object of those fields and no others; a field that is undefined is left out. */
export function object<F extends Fields>(fields: F): Read<Present<Told<F>>> {
  return (value, path) => {
    const given = anyObject(value, path);
    const strange = Object.keys(given)
      .filter((name) => !Object.hasOwn(fields, name))
      .map(
        (name) => () =>
          refuse([...path, name], `is not known here; known are ${Object.keys(fields).join(", ")}`),
      );
    const read = Object.entries(fields).map(([name, each]) => () => {
      const own = Object.hasOwn(given, name) ? given[name] : undefined;
      return [name, each(own, [...path, name])] as const;
    });
    const entries = gather<readonly [string, unknown]>([...strange, ...read]);
    return Object.fromEntries(entries.filter(([, each]) => each !== undefined)) as Present<Told<F>>;
  };
}

/** The type with every field that may be undefined made one that may be absent. */
type Present<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** What all of them give; throws with everything that is wrong with any. */
export function gather<T>(reads: readonly (() => T)[]): readonly T[] {
  const problems: Problem[] = [];
  const results = reads.flatMap((read) => {
    try {
      return [read()];
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
  if (problems.length > 0) throw new Unreadable(problems);
  return results;
}

/** What each of them gives, in their order; throws with everything that is wrong with any. */
export function all<T extends readonly unknown[]>(...reads: { readonly [K in keyof T]: () => T[K] }): T {
  return gather<unknown>(reads) as unknown as T;
}
