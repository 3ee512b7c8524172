import type { ShownAction } from "../plan/report.js";
import type { Role } from "../text/paint.js";

/** The sign and the colour of each action; the sign is clear without the colour. */
export const SIGNS: Readonly<Record<ShownAction, { readonly sign: string; readonly role: Role }>> = {
  delete: { sign: "-", role: "removed" },
  replace: { sign: "±", role: "warning" },
  create: { sign: "+", role: "added" },
  update: { sign: "~", role: "warning" },
  adopt: { sign: "=", role: "note" },
  forget: { sign: "×", role: "warning" },
  removed: { sign: "?", role: "warning" },
  blocked: { sign: "!", role: "error" },
  keep: { sign: " ", role: "frame" },
};

/** What each sign means, in one line for a reader who sees them for the first time. */
export const LEGEND =
  "Symbols: + create, ~ change, ± replace, - delete, = only recorded in the state, × no longer managed, ? removed from the project and undecided, ! blocked; in a text, [-removed-] and {+added+}";
