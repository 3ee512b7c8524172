import { randomBytes } from "node:crypto";

/** A login that was started on a machine without a browser. */
interface Login {
  readonly deviceCode: string;
  /** What a person types to say that it is theirs. */
  readonly userCode: string;
}

/** What asking after a login gives: a word of OAuth 2.0 (RFC 8628), or the client that may come in. */
type Polled =
  | { readonly error: "authorization_pending" | "slow_down" | "expired_token" | "invalid_grant" }
  | { readonly client: string };

/** The logins that are under way. */
export interface Devices {
  begin(client: string): Login;
  /** False where no login has that code. */
  approve(userCode: string): boolean;
  poll(deviceCode: string): Polled;
}

/** How long a login may take, in seconds. */
export const LOGIN_LIFETIME = 600;

/** How often may be asked, in seconds. */
export const POLL_INTERVAL = 1;

interface Pending {
  readonly client: string;
  readonly userCode: string;
  readonly until: number;
  readonly polled: number;
  readonly approved: boolean;
}

/** No logins yet; now is in milliseconds since 1970. */
export function makeDevices(now: () => number): Devices {
  const logins = new Map<string, Pending>();
  return {
    begin(client) {
      const deviceCode = randomBytes(24).toString("base64url");
      const letters = randomBytes(4).toString("hex").toUpperCase();
      const userCode = `${letters.slice(0, 4)}-${letters.slice(4)}`;
      const until = now() + LOGIN_LIFETIME * 1000;
      logins.set(deviceCode, { client, userCode, until, polled: 0, approved: false });
      return { deviceCode, userCode };
    },
    approve(userCode) {
      const found = [...logins].find(([, login]) => login.userCode === userCode);
      if (found !== undefined) logins.set(found[0], { ...found[1], approved: true });
      return found !== undefined;
    },
    poll(deviceCode) {
      const login = logins.get(deviceCode);
      if (login === undefined) return { error: "invalid_grant" };
      if (login.until <= now()) return { error: "expired_token" };
      if (login.approved) {
        logins.delete(deviceCode);
        return { client: login.client };
      }
      const hasty = now() - login.polled < POLL_INTERVAL * 1000;
      logins.set(deviceCode, { ...login, polled: now() });
      return { error: hasty ? "slow_down" : "authorization_pending" };
    },
  };
}
