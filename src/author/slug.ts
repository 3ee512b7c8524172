/** The longest name that a slug makes. */
const LONGEST = 60;

/** The longest suffix, so that something is left of every name. */
const LONGEST_SUFFIX = 40;

/** Names that Windows keeps for devices, whatever follows the first dot. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** A display name as the name of a manifest and of its file: ASCII letters and digits, joined by `-`; empty for none. */
export function slugOf(text: string): string {
  const letters = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return trimmed(letters).slice(0, LONGEST).replace(/-+$/, "");
}

/** Whether a name cannot be a file's name on every system. */
export function isReserved(name: string): boolean {
  return RESERVED.test(name);
}

/** A name with a suffix, within the same length. */
export function withSuffix(name: string, suffix: string): string {
  // An id tells most at its end.
  const end = trimmed(trimmed(suffix).slice(-LONGEST_SUFFIX));
  if (end === "") return name;
  const room = LONGEST - end.length - 1;
  return `${name.slice(0, room).replace(/-+$/, "")}-${end}`;
}

function trimmed(text: string): string {
  return text.replace(/^-+|-+$/g, "");
}
