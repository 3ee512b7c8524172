/** The server's name of an object of one kind: the path parameters of its URL, in order. */
export type Key = readonly string[];

/** Characters that would change the meaning of a URL that contains the id. */
const UNFIT = /[/\\?#%\s\p{C}]/u;

/** What an id contains that no id can contain, because it would change the URL of a request; null where it is fit. */
export function unfitCharacter(id: string): string | null {
  return id === "." || id === ".." || id === "" ? id : (UNFIT.exec(id)?.[0] ?? null);
}

/** A kind and a key as one text, for maps and the state file; ids hold no slash. */
export function formatKey(kind: string, key: Key): string {
  return `${kind}:${key.join("/")}`;
}
