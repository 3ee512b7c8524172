import { Buffer } from "node:buffer";
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { isObject, type Json, parseJson } from "../../model/json.js";

/** What an envelope says that its payload is: an in-toto statement. */
const PAYLOAD_TYPE = "application/vnd.in-toto+json";

/** A DSSE envelope, as its file has it; a signature is missing where it was made without a key. */
interface SignedEnvelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signature: { readonly keyid: string; readonly sig: string } | null;
}

/** Why the payload of an envelope does not count. */
export type EnvelopeFault = "not an envelope" | "unsigned" | "another key" | "changed";

/** The text of an envelope (DSSE 1.0) around a payload, with an Ed25519 signature where a key is given. */
export function sealEnvelope(payload: string, key: KeyObject | null): string {
  const signatures =
    key === null
      ? []
      : [
          {
            keyid: idOf(createPublicKey(key)),
            sig: sign(null, signed(PAYLOAD_TYPE, Buffer.from(payload)), key).toString("base64"),
          },
        ];
  const envelope = {
    payload: Buffer.from(payload).toString("base64"),
    payloadType: PAYLOAD_TYPE,
    signatures,
  };
  return `${JSON.stringify(envelope)}\n`;
}

/** Reads the text of an envelope; null for another text, and for one that is not whole. */
export function readEnvelope(text: string): SignedEnvelope | null {
  const value = parseJson(text);
  if (value === undefined || !isOneSpelling(text, value)) return null;
  if (!isObject(value) || !Array.isArray(value.signatures)) return null;
  const { payload, payloadType, signatures } = value;
  if (typeof payload !== "string" || payloadType !== PAYLOAD_TYPE || signatures.length > 1) return null;
  const [first] = signatures;
  if (first === undefined) return { payload, payloadType, signature: null };
  if (!isObject(first) || typeof first.sig !== "string") return null;
  const keyid = typeof first.keyid === "string" ? first.keyid : "";
  return { payload, payloadType, signature: { keyid, sig: first.sig } };
}

/** Whether a text has each member once: two readers may take another one of two with the same name. */
function isOneSpelling(text: string, value: Json): boolean {
  const packed = (spelled: string) => spelled.replace(/\s/g, "");
  return packed(JSON.stringify(value)) === packed(text);
}

/** The payload of an envelope that one of the keys signed; why it does not count, where none did. */
export function openEnvelope(
  { payload, payloadType, signature }: SignedEnvelope,
  keys: readonly KeyObject[],
  mayBeUnsigned: boolean,
): { readonly payload: string } | { readonly fault: EnvelopeFault; readonly keyid: string | null } {
  const bytes = bytesOf(payload);
  if (bytes === null) return { fault: "not an envelope", keyid: null };
  if (signature === null)
    return mayBeUnsigned ? { payload: bytes.toString("utf8") } : { fault: "unsigned", keyid: null };
  const { keyid } = signature;
  const sig = bytesOf(signature.sig);
  const isSigned = sig !== null && keys.some((key) => verify(null, signed(payloadType, bytes), key, sig));
  if (isSigned) return { payload: bytes.toString("utf8") };
  return { fault: keys.some((key) => idOf(key) === keyid) ? "changed" : "another key", keyid };
}

/** What the signature covers: DSSE's pre-authentication encoding. */
function signed(type: string, payload: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `),
    payload,
  ]);
}

/** The bytes of a base64 text in its one spelling; null for any other, so that no letter may change unnoticed. */
function bytesOf(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : null;
}

/** How an envelope names the key that signed it: the SHA-256 of the public key. */
function idOf(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("hex");
}

/** The private key of a PEM text; null for anything but an Ed25519 key. */
export function signingKey(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === "ed25519" ? key : null;
  } catch {
    return null;
  }
}

/** The public keys of a PEM text, which may have several: keys change over the years. Null where it has none, or another kind. */
export function publicKeys(pem: string): readonly KeyObject[] | null {
  const blocks = pem.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
  try {
    const keys = blocks.map((block) => createPublicKey(block));
    return keys.length > 0 && keys.every((key) => key.asymmetricKeyType === "ed25519") ? keys : null;
  } catch {
    return null;
  }
}
