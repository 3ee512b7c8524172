import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { Refusal } from "../answer/operation.js";
import {
  type Dictionary,
  type Enum,
  type List,
  type Message,
  type Scalar,
  type Type,
  validationName,
} from "./descriptor.js";
import type { Beyond } from "./later.js";
import { readDuration, readTimestamp } from "./moment.js";
import { Scanner } from "./scan.js";

/**
 * Reads a body as strict protojson: every name once and known, every value of its type. The message holds
 * only what is set, under its lowerCamel names, each value as the wire would write it. What is beyond the description
 * may hold any value.
 */
export function parse(text: string, type: Message, beyond?: Beyond): JsonObject {
  if (text === "") return {};
  const scanner = new Scanner(text);
  const value = readMessage(scanner, type, beyond);
  scanner.end();
  return value;
}

function readMessage(scanner: Scanner, type: Message, beyond: Beyond | undefined): JsonObject {
  const seen = new Set<string>();
  const groups = new Set<string>();
  const entries: [string, Json][] = [];
  scanner.members((written, place) => {
    const name = lowerCamel(type, written) ?? written;
    const group = type.oneofs.get(name) ?? beyond?.groupOf(type, name);
    const field = type.fields.get(name) ?? (group === undefined ? undefined : "free");
    if (field === undefined) scanner.refuse(place, `unknown field ${quote(written)}`);
    if (seen.has(name)) scanner.refuse(place, `duplicate field ${quote(written)}`);
    seen.add(name);
    if (scanner.word("null")) return;
    if (group && groups.has(group)) {
      const owner = `${type.name}.${group}`;
      scanner.refuse(place, `error parsing ${quote(written)}, oneof ${owner} is already set`);
    }
    if (group) groups.add(group);
    const value = readValue(scanner, field, { field: name, owner: type, beyond });
    const isKept = type.fields.has(name) || beyond?.isKept(name) === true;
    if (isKept && (group || !isUnset(field, value))) entries.push([name, value]);
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

/** Where a value stands: the field, the message that has it, and what messages may hold beyond their description. */
interface Place {
  readonly field: string;
  readonly owner: Message;
  readonly beyond: Beyond | undefined;
}

function readValue(scanner: Scanner, type: Type, place: Place): Json {
  if (typeof type !== "string") {
    switch (type.kind) {
      case "message":
        return readMessage(scanner, type, place.beyond);
      case "enum":
        return readEnum(scanner, type, place.field);
      case "list":
        return readList(scanner, type, place);
      case "map":
        return readMap(scanner, type, place);
    }
  }
  return readScalar(scanner, type, place.field);
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

function readList(scanner: Scanner, type: List, place: Place): Json {
  const items: Json[] = [];
  scanner.items(() => {
    items.push(readValue(scanner, type.of, place));
  });
  if (items.length > type.most) {
    const fault = `value must contain no more than ${type.most} item(s)`;
    throw new Refusal("invalidArgument", `invalid ${validationName(place.owner, place.field)}: ${fault}`);
  }
  return items;
}

function readMap(scanner: Scanner, type: Dictionary, where: Place): Json {
  const entries = new Map<string, Json>();
  scanner.members((name, place) => {
    if (entries.has(name)) scanner.refuse(place, `duplicate map key ${quote(name)}`);
    entries.set(name, readValue(scanner, type.of, where));
  });
  return Object.fromEntries(entries);
}

function quote(text: string): string {
  return JSON.stringify(text);
}

/** How deep an object with undocumented fields may be. */
const DEEPEST = 100;

/** Passes a scalar and gives it as the wire would write it; refuses what is none. */
function readScalar(scanner: Scanner, type: Scalar, field: string): Json {
  switch (type) {
    case "string":
      if (scanner.peek() !== '"') invalid(scanner, type, field);
      return scanner.string();
    case "bool":
      if (scanner.word("true")) return true;
      if (scanner.word("false")) return false;
      return invalid(scanner, type, field);
    case "int32":
      return Number(readInteger(scanner, type, field, 31n));
    case "int64":
      return String(readInteger(scanner, type, field, 63n));
    case "timestamp":
      return readText(scanner, "google.protobuf.Timestamp", readTimestamp);
    case "duration":
      return readText(scanner, "google.protobuf.Duration", readDuration);
    case "mask":
      return readMask(scanner);
    case "any":
    case "free":
      return readFree(scanner, 0);
  }
}

/** A whole number, written as a number or in quotes, with no more bits than given. */
function readInteger(scanner: Scanner, kind: string, field: string, bits: bigint): bigint {
  const place = scanner.place();
  const first = scanner.peek();
  if (first !== '"' && !/[-0-9]/.test(first)) invalid(scanner, kind, field);
  const text = first === '"' ? scanner.string() : scanner.number();
  const value = wholeNumber(text);
  if (value === undefined || value >= 1n << bits || value < -(1n << bits)) {
    scanner.refuse(place, `invalid value for ${kind} field ${field}: ${scanner.raw(place)}`);
  }
  return value;
}

/** A JSON number's value where it is whole, however it is written: `12`, `1.20e1`. */
function wholeNumber(text: string): bigint | undefined {
  const found = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (found === null) return undefined;
  const [, sign, whole = "", digits = "", exponent = "0"] = found;
  const shift = Number(exponent);
  const moved = (whole + digits).padEnd(whole.length + Math.max(shift, 0), "0");
  const point = Math.max(whole.length + shift, 0);
  if (/[1-9]/.test(moved.slice(point))) return undefined;
  return BigInt(`${sign}${moved.slice(0, point) || "0"}`);
}

function readText(scanner: Scanner, name: string, read: (text: string) => string | undefined): Json {
  const place = scanner.place();
  const text = scanner.string();
  const value = read(text);
  if (value === undefined) scanner.refuse(place, `invalid ${name} value ${scanner.raw(place)}`);
  if (value === "range") scanner.refuse(place, `${name} value out of range: ${scanner.raw(place)}`);
  return value;
}

function readMask(scanner: Scanner): Json {
  const place = scanner.place();
  const text = scanner.string().trim();
  const wrong =
    text === "" ? undefined : text.split(",").find((path) => !/^[a-zA-Z][a-zA-Z0-9.]*$/.test(path));
  if (wrong !== undefined) {
    scanner.refuse(place, `google.protobuf.FieldMask.paths contains invalid path: ${JSON.stringify(wrong)}`);
  }
  return text;
}

function readFree(scanner: Scanner, depth: number): Json {
  if (depth > DEEPEST) scanner.refuse(scanner.place(), "exceeded max recursion depth");
  switch (scanner.peek()) {
    case "{": {
      const entries = new Map<string, Json>();
      scanner.members((name, place) => {
        if (entries.has(name)) scanner.refuse(place, `duplicate field ${JSON.stringify(name)}`);
        entries.set(name, readFree(scanner, depth + 1));
      });
      return Object.fromEntries(entries);
    }
    case "[": {
      const items: Json[] = [];
      scanner.items(() => {
        items.push(readFree(scanner, depth + 1));
      });
      return items;
    }
    case '"':
      return scanner.string();
    default:
      if (scanner.word("null")) return null;
      if (scanner.word("true")) return true;
      if (scanner.word("false")) return false;
      return Number(scanner.number());
  }
}

function invalid(scanner: Scanner, kind: string, field: string): never {
  const place = scanner.place();
  scanner.refuse(place, `invalid value for ${kind} field ${field}: ${scanner.raw(place)}`);
}
