import { type Message, pascalCase } from "./descriptor.js";

/** What a message may hold beyond its description. */
export interface Beyond {
  /** The group that a member of that name belongs to, null where it is in none; undefined where it is not known. */
  groupOf(type: Message, name: string): string | null | undefined;
  /** Whether what is sent under that name is kept. */
  isKept(name: string): boolean;
}

const LATER = /^future[A-Z][A-Za-z0-9]*$/;

/** Whether a name is one that only a later version of the service knows. */
export function isLater(name: string): boolean {
  return LATER.test(name);
}

/** The member of a group that only a later version of the service knows: `users_scope` has `futureUsersScope`. */
export function laterMember(group: string): string {
  return `future${pascalCase(group)}`;
}

/** What a service accepts that knows later members, members that every message has, or neither. */
export function makeBeyond(later: boolean, everywhere: string | null): Beyond | undefined {
  if (!later && everywhere === null) return undefined;
  return {
    groupOf(type, name) {
      if (name === everywhere) return null;
      if (!later || !isLater(name)) return undefined;
      return [...type.oneofs.values()].find((group) => laterMember(group) === name) ?? null;
    },
    isKept: (name) => name !== everywhere,
  };
}
