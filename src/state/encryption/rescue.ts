import { Buffer } from "node:buffer";
import { say } from "../../words/say.js";
import { StateError } from "../store.js";
import { markOf, openText, otherForm, unverified } from "./form.js";
import type { StateKey } from "./key.js";

/** A rescue file of an encrypted state is one line: this mark, the key, and what is sealed. */
const MARK = markOf("rescue");
const SEALED = /^remit-rescue 1 ([0-9a-f]{8}) ([\w-]+)\n?$/;
const CONTEXT = JSON.stringify(["remit rescue"]);

/** The text of a rescue file as it is written: encrypted where the state is. */
export function sealRescue(text: string, [key]: readonly StateKey[]): string {
  return key === undefined ? text : `${MARK}${key.id} ${key.seal(Buffer.from(text), CONTEXT)}\n`;
}

/** The text of a rescue file again; throws a `StateError` where none of the keys sealed it. */
export function openRescue(file: string, name: string, keys: readonly StateKey[]): string {
  const [, id, sealed] = SEALED.exec(file) ?? [];
  if (id === undefined || sealed === undefined) {
    const other = otherForm(file, name);
    if (other !== null) throw other;
    if (keys.length > 0) throw new StateError(say("state/not-encrypted", { name }));
    return file;
  }
  if (keys.length === 0) throw new StateError(say("state/encrypted#noKey", { name }));
  const plain = openText({ id, sealed, context: CONTEXT }, keys, name);
  if (plain === null) throw unverified(name, "its rescue file was changed");
  return plain.toString("utf8");
}
