import { type Address, formatAddress, parseAddress } from "./address.js";
import { isObject, type Json } from "./json.js";
import type { Key } from "./key.js";

/**
 * The id of an object that the same plan creates, as it stands in a key, a field, a call and an output. No id of the
 * service has this form; an apply puts the id in its place immediately before it is needed.
 */
export function pendingId(address: Address): string {
  return `${BEGIN}${formatAddress(address)}${END}`;
}

/** The object whose id a text stands for; null for any other text. */
export function pendingAddress(text: string): Address | null {
  if (!text.startsWith(BEGIN) || !text.endsWith(END)) return null;
  return parseAddress(text.slice(BEGIN.length, -END.length)) ?? null;
}

/** The objects whose ids are pending in a value, each once. */
export function pendingIn(value: Json | Key): readonly Address[] {
  const found = new Map<string, Address>();
  gather(value, found);
  return [...found.values()];
}

/** The value with other texts in the place of some whole texts. */
export function withTexts<T extends Json | Key>(value: T, texts: ReadonlyMap<string, string>): T {
  return texts.size === 0 ? value : (replaced(value as Json, texts) as T);
}

const BEGIN = "\u2039id of ";
const END = "\u203a";

function gather(value: Json | Key, found: Map<string, Address>): void {
  if (typeof value === "string") {
    const address = pendingAddress(value);
    if (address !== null) found.set(formatAddress(address), address);
  } else if (Array.isArray(value)) {
    for (const item of value) gather(item, found);
  } else if (isObject(value as Json)) {
    for (const member of Object.values(value as object)) gather(member, found);
  }
}

function replaced(value: Json, texts: ReadonlyMap<string, string>): Json {
  if (typeof value === "string") return texts.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, texts));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, texts)]));
}
