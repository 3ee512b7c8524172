import type { Writers } from "../../kinds/kind.js";

/** Whether objects of a kind may be written, as far as roles tell. */
export interface MayWrite {
  readonly answer: "by role" | "own by role" | "not by role" | "unknown";
  readonly why: string;
}

/** What some roles may write, by what the documentation says about the roles of that name. */
export function mayWrite(writers: Writers | null, roles: readonly string[]): MayWrite {
  if (writers === null) return unknown("the documentation names no role for it");
  const needed = [...writers.every, ...writers.own.map((role) => `${role} (its own objects)`)].join(" or ");
  if (roles.length === 0) return unknown(`the service does not show the roles; it takes ${needed}`);
  const every = roles.find((role) => fits(role, writers.every));
  if (every !== undefined) return { answer: "by role", why: `by the role ${every}` };
  const own = roles.find((role) => fits(role, writers.own));
  if (own !== undefined)
    return { answer: "own by role", why: `by the role ${own}, only the objects that it owns` };
  const known = roles.every((role) => /[a-z]-[a-z]/i.test(role));
  const held = roles.join(", ");
  return known
    ? { answer: "not by role", why: `it takes ${needed}, and the roles are ${held}` }
    : unknown(`it takes ${needed}, and remit does not know the roles ${held}`);
}

/** Whether the last part of a role's name is one of the names: `system/role:super-admin` is Super Admin. */
function fits(role: string, names: readonly string[]): boolean {
  const last = bare(role.split(/[/:]/).at(-1) ?? "");
  return names.some((name) => bare(name) === last);
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}

function unknown(why: string): MayWrite {
  return { answer: "unknown", why };
}
