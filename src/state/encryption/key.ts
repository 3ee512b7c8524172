import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { Secret } from "../../model/secret.js";
import { say } from "../../words/say.js";
import { StateError } from "../store.js";

/** A key of states. Its bytes never leave it. */
export interface StateKey {
  /** Names the key in what it encrypted; it says nothing about the key. */
  readonly id: string;
  /** Encrypts bytes, and authenticates them together with the context that they belong to. */
  seal(plain: Buffer, context: string): string;
  /** The bytes again; null where what was sealed, or its context, is another. */
  open(sealed: string, context: string): Buffer | null;
}

const BYTES = 32;
const SALT = 16;
const NONCE = 12;
const TAG = 16;
const CIPHER = "aes-256-gcm";

/** Reads `REMIT_STATE_KEY`: the key that encrypts, and after commas older keys that are only read with. */
export function readStateKeys(text: Secret): readonly StateKey[] {
  return text
    .reveal()
    .split(",")
    .map((one) => stateKey(new Secret(one.trim())));
}

/** The key that a text of 32 bytes writes in base64 or hexadecimal. */
export function stateKey(text: Secret): StateKey {
  const written = text.reveal();
  const bytes = Buffer.from(written, /^[0-9a-f]{64}$/i.test(written) ? "hex" : "base64");
  const isWhole = bytes.length === BYTES && /^(?:[0-9a-f]{64}|[\w+/-]{43}=?)$/i.test(written);
  if (!isWhole) throw new StateError(say("state/key#noKeyForm"));
  const derive = (salt: Buffer, purpose: string, length: number) =>
    Buffer.from(hkdfSync("sha256", bytes, salt, `remit ${purpose}`, length));

  return {
    id: derive(Buffer.alloc(0), "state key id", 4).toString("hex"),
    seal(plain, context) {
      const [salt, nonce] = [randomBytes(SALT), randomBytes(NONCE)];
      const cipher = createCipheriv(CIPHER, derive(salt, "state", BYTES), nonce);
      cipher.setAAD(Buffer.from(context));
      const sealed = [cipher.update(plain), cipher.final()];
      return Buffer.concat([salt, nonce, ...sealed, cipher.getAuthTag()]).toString("base64url");
    },
    open(sealed, context) {
      const whole = Buffer.from(sealed, "base64url");
      if (whole.length < SALT + NONCE + TAG) return null;
      const salt = whole.subarray(0, SALT);
      const nonce = whole.subarray(SALT, SALT + NONCE);
      const decipher = createDecipheriv(CIPHER, derive(salt, "state", BYTES), nonce);
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(whole.subarray(-TAG));
      try {
        return Buffer.concat([decipher.update(whole.subarray(SALT + NONCE, -TAG)), decipher.final()]);
      } catch {
        return null;
      }
    },
  };
}
