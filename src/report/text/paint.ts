/** What a part of a text means; the meaning decides its colour. */
export type Role = "error" | "warning" | "note" | "strong" | "frame" | "added" | "removed" | "name";

/** Colours a part of a text, or gives it back unchanged. */
export type Paint = (role: Role, text: string) => string;

const ANSI: Readonly<Record<Role, readonly [number, number]>> = {
  error: [31, 39],
  warning: [33, 39],
  note: [36, 39],
  strong: [1, 22],
  frame: [2, 22],
  added: [32, 39],
  removed: [31, 39],
  // Underlined, because a name may stand in a text that is bold, dim or in a colour: each has an end of its own.
  name: [4, 24],
};

/** No colour. */
export const plain: Paint = (_role, text) => text;

/** The colours of a terminal. */
export const ansi: Paint = (role, text) => {
  const [on, off] = ANSI[role];
  return text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`;
};

/** A sentence whose names stand between back-ticks: in colour, they are underlined in their place. */
export function withNames(text: string, paint: Paint): string {
  return paint === plain ? text : text.replace(/`([^`]+)`/g, (_, name: string) => paint("name", name));
}
