import type { Environment } from "@marcbachmann/cel-js";
import { canonical, isObject, type Json, type JsonObject } from "../../model/json.js";
import { NotRead } from "../rule/fault.js";
import type { ComparableValue } from "../rule/values.js";
import type { Field, Fields } from "./field.js";
import { type GuardView, type Hearing, KNOWN } from "./people.js";

/**
 * A message as expressions read it. A field that is not set is empty, as the service has it. One that is not known ends the
 * evaluation, and is heard of even where the expression does not depend on the error.
 */
export abstract class GuardMessage implements ComparableValue {
  readonly view: GuardView;
  readonly #fields: Fields;
  readonly #make: (name: string) => (view: GuardView) => GuardMessage;
  readonly #hearing: Hearing;
  readonly #made = new Map<string, unknown>();

  constructor(
    view: GuardView,
    fields: Fields,
    make: (name: string) => (view: GuardView) => GuardMessage,
    hearing: Hearing,
  ) {
    this.view = view;
    this.#fields = fields;
    this.#make = make;
    this.#hearing = hearing;
  }

  /** The value of a field. */
  read(name: string): unknown {
    if (this.#made.has(name)) return this.#made.get(name);
    const value = this.#read(name);
    this.#made.set(name, value);
    return value;
  }

  /** Whether a field has a value. */
  has(name: string): boolean {
    const value = this.read(name);
    if (value instanceof GuardMessage) return Object.keys(value.view.values).length > 0;
    if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
    return value !== "" && value !== false && value !== 0 && value !== null;
  }

  /** Whether another message has the same fields; all of both must be known. */
  equals(other: unknown): boolean {
    return other instanceof GuardMessage && this.#spelled() === other.#spelled();
  }

  #spelled(): string {
    for (const name of this.#fields.keys()) this.read(name);
    return canonical(this.view.values);
  }

  #read(name: string): unknown {
    const { values, unknown, inner } = this.view;
    const why = unknown.get(name);
    if (why !== undefined) {
      this.#hearing.unknown ??= `${name} is unknown: ${why}`;
      throw new NotRead(name, { by: "the guard", why: `which is unknown: ${why}` });
    }
    const field = this.#fields.get(name);
    if (field === undefined) throw new Error(`no field ${name} exists`);
    const view = inner?.get(name);
    return view === undefined ? this.#given(values[name], field, name) : this.#make(name)(view);
  }

  #given(value: Json | undefined, field: Field, name: string): unknown {
    switch (field.type) {
      case "string":
        return typeof value === "string" ? value : "";
      case "bool":
        return value === true || isObject(value ?? null);
      case "double":
        return typeof value === "number" ? value : 0;
      case "dyn":
        return value ?? null;
      case "list":
        return (Array.isArray(value) ? value : []).map((item) => this.#given(item, field.item, name));
      case "map": {
        const members = isObject(value ?? null) ? Object.entries(value as JsonObject) : [];
        return Object.fromEntries(members.map(([key, one]) => [key, this.#given(one, field.value, name)]));
      }
      case "message":
        return this.#make(name)({
          values: isObject(value ?? null) ? (value as JsonObject) : {},
          unknown: KNOWN,
        });
      default:
        return field satisfies never;
    }
  }
}

/** The messages of a language: the fields of each, and what makes one of a view. */
export type DeclaredMessages = Map<
  string,
  { readonly fields: Fields; readonly make: (view: GuardView) => GuardMessage }
>;

/** Declares a message and all inside it, by names that begin with its own; gives what makes one of a view. */
export function declareMessage(
  language: Environment,
  name: string,
  fields: Fields,
  hearing: Hearing,
  declared: DeclaredMessages,
): (view: GuardView) => GuardMessage {
  const known = declared.get(name);
  if (known !== undefined) return known.make;
  const inner = new Map(
    [...fields].flatMap(([field, of]) => {
      const message = messageIn(of);
      if (message === null) return [];
      const type = message.name ?? `${name}_${field}`;
      const make = declareMessage(language, type, message.fields, hearing, declared);
      return [[field, make] as const];
    }),
  );
  const made = (field: string) => {
    const make = inner.get(field);
    if (make === undefined) throw new Error(`${name} has no message ${field}`);
    return make;
  };
  const ctor = {
    [name]: class extends GuardMessage {
      constructor(view: GuardView) {
        super(view, fields, made, hearing);
      }
    },
  }[name] as new (
    view: GuardView,
  ) => GuardMessage;
  for (const field of fields.keys())
    Object.defineProperty(ctor.prototype, field, {
      get(this: GuardMessage) {
        return this.read(field);
      },
    });
  const types = [...fields].map(([field, of]) => [field, typeOf(of, `${name}_${field}`)]);
  language.registerType(name, { ctor, fields: Object.fromEntries(types) });
  language.registerOperator(`${name} == ${name}`, (one: GuardMessage, other: GuardMessage) =>
    one.equals(other),
  );
  const make = (view: GuardView) => new ctor(view);
  declared.set(name, { fields, make });
  return make;
}

function messageIn(field: Field): Extract<Field, { readonly type: "message" }> | null {
  if (field.type === "message") return field;
  if (field.type === "list") return messageIn(field.item);
  return field.type === "map" ? messageIn(field.value) : null;
}

function typeOf(field: Field, name: string): string {
  if (field.type === "list") return `list<${typeOf(field.item, name)}>`;
  if (field.type === "map") return `map<string, ${typeOf(field.value, name)}>`;
  return field.type === "message" ? (field.name ?? name) : field.type;
}
