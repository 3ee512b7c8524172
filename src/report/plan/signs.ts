import type { Action } from "../../plan/step.js";
import type { Role } from "../text/paint.js";

/** How an action is marked: a sign that stands for it without colour, and the colour that stands for it beside. */
export const SIGNS: Readonly<Record<Action, { readonly sign: string; readonly role: Role }>> = {
  create: { sign: "+", role: "added" },
  update: { sign: "~", role: "warning" },
  set: { sign: "~", role: "warning" },
  delete: { sign: "-", role: "removed" },
  adopt: { sign: "=", role: "note" },
  forget: { sign: " ", role: "frame" },
  keep: { sign: " ", role: "frame" },
  blocked: { sign: "!", role: "error" },
};
