import type { Secret } from "../../model/secret.js";
import type { CallEnding } from "./retry.js";

/** How a server is spoken to: how it takes a token, and what its replies mean where servers differ. */
export interface Dialect {
  /** The headers by which a request says who sends it, and what else each request says. */
  readonly headers: (token: Secret) => Readonly<Record<string, string>>;
  /** Whether a good status may come without a body. */
  readonly mayBeEmpty: boolean;
  /** What a status means for sending again, where it is not what the table of `retry.ts` says; null where it is. */
  readonly ending: (status: number, asksForTime: boolean) => CallEnding | null;
}

/** The dialect of the tenant. */
export const TENANT: Dialect = {
  headers: (token) => ({ authorization: `Bearer ${token.reveal()}` }),
  mayBeEmpty: false,
  ending: () => null,
};
