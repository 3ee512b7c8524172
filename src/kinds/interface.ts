/** `core` is the documented operations alone; `full` adds reads, updates, deletes and lists. */
export type Interface = "core" | "full";

/** The interface that a run is asked to use; `auto` asks the service which one it has. */
export type Asked = Interface | "auto";

/** One interface for every kind, or one for each by its name; a kind that is left out is `auto`. */
export type AskedInterface = Asked | Readonly<Record<string, Asked>>;

/** The interface that a run is asked to use for a kind. */
export function askedFor(asked: AskedInterface, kind: string): Asked {
  if (typeof asked === "string") return asked;
  return (Object.hasOwn(asked, kind) ? asked[kind] : undefined) ?? "auto";
}
