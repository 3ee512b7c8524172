/** Stands for a whole named value. */
export const VALUE = "$value";
/** Puts the items of a named list into a list. */
export const VALUES = "$values";
/** Composes a text. */
export const TEXT = "$text";
/** The member beside an expression that gives values to names in it. */
export const WITH = "with";
/** The members of a map that make it stand for something that is written elsewhere. */
export const MARKERS = [VALUE, VALUES, TEXT] as const;

/** Whether a member of a map makes the map stand for something that is written elsewhere. */
export function isMarker(name: string): boolean {
  return MARKERS.some((marker) => marker === name);
}
