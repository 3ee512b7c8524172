import type { Json } from "../../model/json.js";
import type { Scalar } from "./descriptor.js";
import { readDuration, readTimestamp } from "./moment.js";
import type { Scanner } from "./scan.js";

/** How deep an object with undocumented fields may be. */
const DEEPEST = 100;

/** Passes a scalar and gives it as the wire would write it; refuses what is none. */
export function readScalar(scanner: Scanner, type: Scalar, field: string): Json {
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
export function readInteger(scanner: Scanner, kind: string, field: string, bits: bigint): bigint {
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
