/** A part of a document that can be left out, and its importance: the lowest rank is kept longest. */
export interface Piece {
  readonly text: string;
  readonly rank: number;
  /** Whether all later parts of its rank are also left out, so that the beginning of an order is kept. */
  readonly isInOrder: boolean;
  /** A piece of lower rank that this one replaces: only the difference in length has to fit. */
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

/** The first of some texts that fit into so many bytes. */
export function firstFitting(texts: readonly string[], bytes: number | null): readonly string[] {
  const pieces = texts.map((text): Piece => ({ rank: 0, isInOrder: true, text }));
  return [...fitting(pieces, bytes)].map(({ text }) => text);
}

function sizeOf({ text }: Piece): number {
  return bytesOf(text) + LINE_BREAKS;
}

/** How long a text is in UTF-8. */
export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
