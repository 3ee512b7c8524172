/** What a path leads to, links followed. */
export interface About {
  readonly is: "file" | "folder" | "other";
  readonly size: number;
}

/** One member of a folder. A link is a link, whatever it leads to. */
export interface Listed {
  readonly name: string;
  readonly is: "file" | "folder" | "link" | "other";
}

/** Where the author's files are read from: the disk, or a commit. Paths are absolute; a failure has a `code` as node's have. */
export interface Tree {
  /** The path without symbolic links. */
  readonly real: (path: string) => string;
  /** Null where there is nothing. */
  readonly about: (path: string) => About | null;
  readonly list: (folder: string) => readonly Listed[];
  readonly text: (path: string) => string;
  readonly bytes: (path: string) => Uint8Array;
}

/** A failure to read with the code that node gives it: `ENOENT`. */
export function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}
