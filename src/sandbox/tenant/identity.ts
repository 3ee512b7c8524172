import type { Random } from "../../model/clock.js";
import { Refusal } from "../answer/operation.js";
import { type Message, validationName } from "../wire/descriptor.js";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The second that the ids of the service count from: 13 May 2014. */
const EPOCH = 1_400_000_000;

/** The form every id has. */
export const ID = /^[a-zA-Z0-9]{27}$/;

/** Whether a parameter of a path is an id; any other is a word of the service. */
export function isIdName(name: string): boolean {
  return !/slug$/i.test(name);
}

/** Refuses what does not look like an id, in the words of the service's validation of a message's field. */
export function checkId(type: Message, field: string, id: string): void {
  if (ID.test(id)) return;
  const name = validationName(type, field);
  throw new Refusal("invalidArgument", `invalid ${name}: value does not match regex pattern "${ID.source}"`);
}

/** A new id: the second it was made in, then chance, in 27 letters and digits. */
export function makeId(now: number, random: Random): string {
  let rest = Math.max(0, Math.floor(now / 1000) - EPOCH);
  let time = "";
  for (let place = 0; place < 6; place += 1) {
    time = (DIGITS[rest % 62] ?? "0") + time;
    rest = Math.floor(rest / 62);
  }
  let chance = "";
  while (chance.length < 21) chance += DIGITS[Math.floor(random() * 62)] ?? "0";
  return time + chance;
}

/** A new name for one request, as its error and its log line show it. */
export function makeTraceId(random: Random): string {
  let id = "";
  while (id.length < 32)
    id += Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, "0");
  return id;
}
