import { kindNamed } from "../../kinds/index.js";
import type { Kind } from "../../kinds/kind.js";
import { isFindable } from "../../kinds/listing.js";
import { formatAddress } from "../../model/address.js";
import type { Uncertain } from "../../state/snapshot.js";

/** What remit knows of a create with an unknown result: whether it was sent, and when. */
export function aboutUncertain({ at, since = at, sent }: Pick<Uncertain, "at" | "since" | "sent">): string {
  return sent
    ? `remit sent its create on ${since}, and the result is unknown`
    : `remit was about to send its create on ${since}, and it is unknown whether it did`;
}

/** What to do about a create with an unknown result, in the words of every message about it. */
export function afterUncertain({ address, key }: Pick<Uncertain, "address" | "key">): string {
  const name = formatAddress(address);
  const kind = kindNamed(address.kind);
  return `${whereItIs(kind)} If it is there, \`${settling({ address, key })}\` records it. If it is not there, \`remit state forget ${name}\` lets the next apply create it.`;
}

/** Why a create is uncertain whose object no list shows, after that answer. */
export function notListedYet(answer: string): string {
  return `no list of the service shows the object yet, and its create got no clear answer: ${answer}`;
}

function whereItIs(kind: Kind | undefined): string {
  if (kind?.namesRepeat !== true) return "Look for it in the service.";
  return isFindable(kind, null)
    ? "Plan again: the plan adopts the object once a list of the service shows exactly one that this create can have made."
    : "No list of the service shows it, so look for it in the browser.";
}

/** The command by which a person says which object a create made; where its ids are not known, with their names. */
export function settling({ address, key }: Pick<Uncertain, "address" | "key">): string {
  return `remit state settle ${formatAddress(address)} --key ${key?.join("/") ?? idsOf(kindNamed(address.kind))}`;
}

/** Which ids name an object of a kind, to be filled in: `APP_ID/ID`. */
export function idsOf(kind: Kind | undefined): string {
  const ids = kind?.shape.identity.map((name) => name.replace(/[A-Z]/g, "_$&").toUpperCase());
  return ids?.join("/") ?? "IDS";
}
