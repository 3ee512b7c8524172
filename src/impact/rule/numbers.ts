import { UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { isMoment } from "./calendar.js";
import { NotRead } from "./fault.js";

/** The whole number, where CEL has it. */
export function whole(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new Error("too large");
  return value;
}

/** `int()` of CEL. */
export function toInt(value: unknown): bigint {
  if (typeof value === "bigint") return value;
  if (value instanceof UnsignedInt) return whole(BigInt(value.valueOf()));
  if (isMoment(value)) return BigInt(Math.floor(value.getTime() / 1000));
  // The service's library refuses the least whole number here, because a fraction of it may be lost.
  if (typeof value === "number" && Math.abs(value) < 2 ** 63) return BigInt(Math.trunc(value));
  if (typeof value === "string" && /^[+-]?\d{1,19}$/.test(value))
    return whole(BigInt(value.replace(/^\+/, "")));
  throw new Error("not a whole number");
}

/** `double()` of CEL. */
export function toDouble(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof UnsignedInt) return Number(value.valueOf());
  if (typeof value === "string" && /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value))
    return Number(value);
  throw new Error("not a number");
}

/** `string()` of CEL. The service's library writes a number with a fraction as Go does: 1000000.0 is `1e+06`. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || typeof value === "bigint" || value instanceof UnsignedInt)
    return String(value);
  if (value instanceof Uint8Array)
    return new TextDecoder("utf8", { fatal: true, ignoreBOM: true }).decode(value);
  if (typeof value !== "number") throw new NotRead("how the service writes a value of this type");
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  const [digits = "", exponent = ""] = value.toExponential().split("e");
  const isShort = Number(exponent) >= -4 && Number(exponent) < 6;
  if (value === 0 || isShort) return Object.is(value, -0) ? "-0" : String(value);
  return `${digits}e${exponent.replace(/(?<=[+-])\d$/, "0$&")}`;
}

/** `-` of CEL before a number. */
export function negated(value: unknown): unknown {
  if (typeof value === "bigint") return whole(-value);
  if (typeof value === "number") return -value;
  throw new NotRead("the opposite of another value");
}

/** `/` of CEL. */
export function divided(one: unknown, other: unknown): unknown {
  if (typeof one === "bigint" && typeof other === "bigint") return whole(one / other);
  if (typeof one === "number" && typeof other === "number") return one / other;
  if (one instanceof UnsignedInt && other instanceof UnsignedInt)
    return new UnsignedInt(BigInt(one.valueOf()) / BigInt(other.valueOf()));
  throw new NotRead("a quotient of other values");
}
