/** `core` is the documented operations alone; `full` adds reads, updates, deletes and lists. */
export type Interface = "core" | "full";
