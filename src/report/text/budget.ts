/** A part of a document that may have to be left out, and how much it matters: the lowest rank is kept longest. */
export interface Piece {
  readonly text: string;
  readonly rank: number;
  /** Whether nothing of its rank follows where it is left out, so that what is kept is the beginning of an order. */
  readonly isInOrder: boolean;
  /** A piece of lower rank that goes where this one is kept: only what this one is longer has to fit. */
  readonly insteadOf?: Piece;
}

const LINE_BREAKS = 2;
const encoder = new TextEncoder();

/** The pieces that fit into so many bytes of UTF-8, the most important first. */
export function fitting<T extends Piece>(pieces: readonly T[], bytes: number | null): ReadonlySet<T> {
  if (bytes === null) return new Set(pieces);
  const kept = new Set<Piece>();
  const full = new Set<number>();
  let left = bytes;
  for (const piece of [...pieces].sort((one, other) => one.rank - other.rank)) {
    const { insteadOf } = piece;
    const size = sizeOf(piece) - (insteadOf === undefined ? 0 : sizeOf(insteadOf));
    const isFitting = size <= left && (insteadOf === undefined || kept.has(insteadOf));
    if (!isFitting && piece.isInOrder) full.add(piece.rank);
    if (!isFitting || full.has(piece.rank)) continue;
    kept.add(piece);
    left -= size;
  }
  return new Set(pieces.filter((piece) => kept.has(piece)));
}

function sizeOf({ text }: Piece): number {
  return bytesOf(text) + LINE_BREAKS;
}

/** How long a text is in UTF-8. */
export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
