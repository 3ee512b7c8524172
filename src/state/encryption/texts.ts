import { createHash, randomBytes } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { Secret } from "../../model/secret.js";
import type { TextsKey } from "../record.js";
import { stateKey } from "./key.js";

const DAY = 24 * 60 * 60 * 1000;

/** The day of an instant, in UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The day that is so many days before an instant. */
export function daysBefore(time: number, days: number): string {
  return dayOf(time - days * DAY);
}

/** A key for texts of that day and of all days after it. */
export function newTextsKey(from: string): TextsKey {
  return { from, key: randomBytes(32).toString("hex") };
}

/** The key that no longer opens what was sealed before a day. */
export function forgetBefore(texts: TextsKey, day: string): TextsKey {
  const passed = (Date.parse(day) - Date.parse(texts.from)) / DAY;
  let { key } = texts;
  for (let count = 0; count < passed; count += 1)
    key = createHash("sha256").update(`remit next day ${key}`).digest("hex");
  return passed > 0 ? { from: day, key } : texts;
}

/** Texts of values, compressed and encrypted for the run that they are of. An earlier day than the key's is the key's. */
export function sealTexts(texts: string, day: string, run: string, key: TextsKey): string {
  const ofDay = forgetBefore(key, day);
  const sealed = keyOf(ofDay).seal(deflateRawSync(texts), contextOf(run));
  return `${ofDay.from} ${sealed}`;
}

/** The texts again; null where their day is forgotten, or where they are of another run. */
export function openTexts(sealed: string, run: string, key: TextsKey): string | null {
  const [day = "", text = ""] = sealed.split(" ");
  if (!(day >= key.from)) return null;
  const plain = keyOf(forgetBefore(key, day)).open(text, contextOf(run));
  return plain === null ? null : inflateRawSync(plain).toString("utf8");
}

function keyOf({ key }: TextsKey) {
  return stateKey(new Secret(key));
}

function contextOf(run: string): string {
  return JSON.stringify(["remit texts", run]);
}
