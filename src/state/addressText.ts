import { say } from "../words/say.js";
import { StateError } from "./store.js";

/** Makes the error of an address that cannot be used. It says why. */
type Malformed = (why: string) => StateError;

/** The errors of one kind of address, with an example of it. An address may contain a password, so no error repeats it. */
export function malformedAddress(example: string): Malformed {
  return (why) => new StateError(say("state/address#malformed", { why, example }));
}

/** A part of an address without percent-encoding; null where a % is not followed by two hexadecimal digits. */
export function decodedPart(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** A part of an address without percent-encoding; throws the error of that address. */
export function decodedOr(malformed: Malformed, text: string): string {
  const part = decodedPart(text);
  if (part === null) throw malformed("a % in it is not followed by two hexadecimal digits");
  return part;
}
