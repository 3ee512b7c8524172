/** What a field without further structure may hold; `free` is an object whose fields are not documented. */
export type Scalar =
  | "string"
  | "bool"
  | "int32"
  | "int64"
  | "timestamp"
  | "duration"
  | "mask"
  | "any"
  | "free";

/** A list of names; the first is what an unset field shows. */
export interface Enum {
  readonly kind: "enum";
  readonly names: readonly string[];
  /** Whether the service alone sets it, so that it may one day say a name not listed. */
  readonly told: boolean;
}

/** A message: its full name, its fields in order, and which of them exclude each other. */
export interface Message {
  readonly kind: "message";
  readonly name: string;
  readonly fields: ReadonlyMap<string, Type>;
  /** From a field to the group of which at most one may be set. */
  readonly oneofs: ReadonlyMap<string, string>;
}

export interface List {
  readonly kind: "list";
  readonly of: Type;
  readonly most: number;
}

export interface Dictionary {
  readonly kind: "map";
  readonly of: Type;
}

export type Type = Scalar | Enum | Message | List | Dictionary;

export type Fields = Readonly<Record<string, Type>>;

/** A message by its full name, its fields, and its one-of groups. */
export function message(
  name: string,
  fields: Fields,
  oneofs: Readonly<Record<string, readonly string[]>> = {},
): Message {
  return {
    kind: "message",
    name,
    fields: new Map(Object.entries(fields)),
    oneofs: new Map(
      Object.entries(oneofs).flatMap(([group, members]) => members.map((member) => [member, group] as const)),
    ),
  };
}

/** A repeated field, with at most so many items. */
export function list(of: Type, most = Number.POSITIVE_INFINITY): List {
  return { kind: "list", of, most };
}

/** A map from text. */
export function map(of: Type): Dictionary {
  return { kind: "map", of };
}

/** An enumeration: a prefix, and the names after it. */
export function names(prefix: string, ...rest: readonly string[]): Enum {
  return { kind: "enum", names: rest.map((name) => `${prefix}${name}`), told: false };
}

/** An enumeration that only the service sets. */
export function told(prefix: string, ...rest: readonly string[]): Enum {
  return { ...names(prefix, ...rest), told: true };
}

/** A name of words joined by underscores as one that begins every word with a capital. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A field of a message as the service's validation errors call it: `AppServiceGetRequest.Id`. */
export function validationName(type: Message, field: string): string {
  return `${type.name.slice(type.name.lastIndexOf(".") + 1)}.${field[0]?.toUpperCase()}${field.slice(1)}`;
}
