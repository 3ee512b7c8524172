import type { Resource } from "../manifest/resource.js";
import { type Address, formatAddress, parseAddress } from "../model/address.js";
import type { Diagnostic, Span } from "../model/diagnostic.js";
import { didYouMean } from "../schema/didYouMean.js";
import type { Snapshot } from "../state/snapshot.js";
import { say } from "../words/say.js";

/** An address that is called otherwise now: the object stays the same. */
export interface MovedAddress {
  readonly from: string;
  readonly to: string;
  readonly span: Span | null;
}

/** The address that an object had before it was moved to another one, as far as the settings say; undefined for no move. */
export function addressBefore(moved: readonly MovedAddress[], address: Address): Address | undefined {
  const from = moved.find(({ to }) => to === formatAddress(address))?.from;
  return from === undefined ? undefined : parseAddress(from);
}

/** What is wrong with moves, and those that were applied. */
export function movedDiagnostics(
  moved: readonly MovedAddress[],
  resources: readonly Pick<Resource, "address">[],
  snapshot: Pick<Snapshot, "entries"> | null,
): readonly Diagnostic[] {
  if (moved.length === 0) return [];
  const written = new Set(resources.map(({ address }) => formatAddress(address)));
  const recorded = new Set(
    Object.values(snapshot?.entries ?? {}).map(({ address }) => formatAddress(address)),
  );
  return moved.flatMap(({ from, to, span }): readonly Diagnostic[] => {
    if (written.has(from)) return [say("plan/moved#stillThere", { from, to }, { span })];
    if (!written.has(to))
      return [say("plan/moved#noManifest", { to }, { span, hint: didYouMean(to, [...written]) })];
    if (snapshot === null || recorded.has(from)) return [];
    return [say("plan/moved-idle", { from }, { span })];
  });
}
