import { isFindable } from "../../kinds/findable.js";
import { kindNamed } from "../../kinds/index.js";
import { type Address, formatAddress } from "../../model/address.js";
import type { Uncertain } from "../../state/snapshot.js";

/** What remit knows of a create with an unknown result: whether it was sent, and when. */
export function aboutUncertain({ at, sent = false }: Pick<Uncertain, "at" | "sent">): string {
  return sent
    ? `remit sent its create on ${at}, and the result is unknown`
    : `remit was about to send its create on ${at}, and it is unknown whether it did`;
}

/** What to do about a create with an unknown result, in the words of every message about it. */
export function afterUncertain(address: Address): string {
  const name = formatAddress(address);
  const kind = kindNamed(address.kind);
  if (kind !== undefined && !isFindable(kind, null))
    return `No list of the service shows it, so look for it in the browser. If it is there, write its \`id\` in the manifest. If it is not there, \`remit state forget ${name}\` lets the next apply create it.`;
  return `Look for it in the service. If it is not there, \`remit state forget ${name}\` lets the next apply create it. If it is there and the server can be read, a plan with \`--interface full\` adopts it. If the server cannot be read, leave the object as it is: forget it, and remove its manifest.`;
}
