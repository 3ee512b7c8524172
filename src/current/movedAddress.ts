import type { Resource } from "../manifest/resource.js";
import { type Address, formatAddress, parseAddress } from "../model/address.js";
import type { Diagnostic, Span } from "../model/diagnostic.js";
import { didYouMean } from "../schema/didYouMean.js";
import type { Snapshot } from "../state/snapshot.js";

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
  const written = new Set(resources.map(({ address }) => formatAddress(address)));
  const recorded = new Set(
    Object.values(snapshot?.entries ?? {}).map(({ address }) => formatAddress(address)),
  );
  return moved.flatMap(({ from, to, span }): readonly Diagnostic[] => {
    const place = span === null ? {} : { span };
    if (written.has(from))
      return [
        {
          code: "plan/moved",
          severity: "error",
          message: `${from} is still in the project, so it did not move to ${to}`,
          hint: "Remove its manifest, or this line.",
          ...place,
        },
      ];
    if (!written.has(to))
      return [
        {
          code: "plan/moved",
          severity: "error",
          message: `no manifest has the address ${to}`,
          hint: didYouMean(to, [...written]) ?? "Write the address that the manifest has now.",
          ...place,
        },
      ];
    if (snapshot === null || recorded.has(from)) return [];
    const message = `${from} is not in the state, so it has moved already`;
    return [{ code: "plan/moved-idle", severity: "note", message, hint: "This line can go.", ...place }];
  });
}
