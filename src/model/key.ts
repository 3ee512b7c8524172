/** The server's name of an object of one kind: the path parameters of its URL, in order. */
export type Key = readonly string[];

/** A kind and a key as one text, for maps and the state file; ids hold no slash. */
export function formatKey(kind: string, key: Key): string {
  return `${kind}:${key.join("/")}`;
}
