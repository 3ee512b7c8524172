import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { Refusal } from "../refusal.js";
import {
  type Dictionary,
  type Enum,
  type List,
  type Message,
  type Type,
  validationName,
} from "./descriptor.js";
import { readInteger, readScalar } from "./scalar.js";
import { Scanner } from "./scan.js";

/**
 * Reads a body as strict protojson: every name once and known, every value of its type. The message holds
 * only what is set, under its lowerCamel names, each value as the wire would write it.
 */
export function parse(text: string, type: Message): JsonObject {
  if (text === "") return {};
  const scanner = new Scanner(text);
  const value = readMessage(scanner, type);
  scanner.end();
  return value;
}

function readMessage(scanner: Scanner, type: Message): JsonObject {
  const seen = new Set<string>();
  const groups = new Set<string>();
  const entries: [string, Json][] = [];
  scanner.members((written, place) => {
    const name = lowerCamel(type, written);
    const field = name === undefined ? undefined : type.fields.get(name);
    if (name === undefined || field === undefined) scanner.refuse(place, `unknown field ${quote(written)}`);
    if (seen.has(name)) scanner.refuse(place, `duplicate field ${quote(written)}`);
    seen.add(name);
    if (scanner.word("null")) return;
    const group = type.oneofs.get(name);
    if (group !== undefined && groups.has(group)) {
      const owner = `${type.name}.${group}`;
      scanner.refuse(place, `error parsing ${quote(written)}, oneof ${owner} is already set`);
    }
    if (group !== undefined) groups.add(group);
    const value = readValue(scanner, field, name, type);
    if (group !== undefined || !isUnset(field, value)) entries.push([name, value]);
  });
  return Object.fromEntries(entries);
}

/** The field's own name for a name as written; snake_case is accepted, lowerCamel is what the API shows. */
function lowerCamel(type: Message, written: string): string | undefined {
  if (type.fields.has(written)) return written;
  const name = written.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const back = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return back === written && type.fields.has(name) ? name : undefined;
}

/** Whether proto3 cannot tell the value from one that was never sent. */
function isUnset(type: Type, value: Json): boolean {
  if (typeof type === "string") return ["string", "bool", "int32", "int64"].includes(type) && isZero(value);
  if (type.kind === "enum") return value === type.names[0];
  if (type.kind === "list") return Array.isArray(value) && value.length === 0;
  return type.kind === "map" && isObject(value) && Object.keys(value).length === 0;
}

function isZero(value: Json): boolean {
  return value === "" || value === false || value === 0 || value === "0";
}

function readValue(scanner: Scanner, type: Type, field: string, owner: Message): Json {
  if (typeof type !== "string") {
    switch (type.kind) {
      case "message":
        return readMessage(scanner, type);
      case "enum":
        return readEnum(scanner, type, field);
      case "list":
        return readList(scanner, type, field, owner);
      case "map":
        return readMap(scanner, type, field, owner);
    }
  }
  return readScalar(scanner, type, field);
}

function readEnum(scanner: Scanner, type: Enum, field: string): Json {
  const place = scanner.place();
  if (scanner.peek() === '"') {
    const name = scanner.string();
    if (type.names.includes(name)) return name;
    return scanner.refuse(place, `invalid value for enum field ${field}: ${quote(name)}`);
  }
  const number = Number(readInteger(scanner, "enum", field, 31n));
  return type.names[number] ?? number;
}

function readList(scanner: Scanner, type: List, field: string, owner: Message): Json {
  const items: Json[] = [];
  scanner.items(() => {
    items.push(readValue(scanner, type.of, field, owner));
  });
  if (items.length > type.most) {
    const fault = `value must contain no more than ${type.most} item(s)`;
    throw new Refusal("invalidArgument", `invalid ${validationName(owner, field)}: ${fault}`);
  }
  return items;
}

function readMap(scanner: Scanner, type: Dictionary, field: string, owner: Message): Json {
  const entries = new Map<string, Json>();
  scanner.members((name, place) => {
    if (entries.has(name)) scanner.refuse(place, `duplicate map key ${quote(name)}`);
    entries.set(name, readValue(scanner, type.of, field, owner));
  });
  return Object.fromEntries(entries);
}

function quote(text: string): string {
  return JSON.stringify(text);
}
