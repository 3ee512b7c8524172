import { hash } from "node:crypto";
import { canonical, type Json } from "../model/json.js";

/** The SHA-256 of a value's one spelling, in hexadecimal. */
export function fingerprint(value: Json): string {
  return hash("sha256", canonical(value));
}
