import type { Clock, Random } from "../../model/clock.js";
import type { Caller } from "../answer/caller.js";
import type { Postponed } from "../answer/postponed.js";
import type { Auth } from "../auth/auth.js";
import type { Faults } from "../faults/faults.js";
import type { OpenLog } from "../log.js";
import type { Quirks, Request, Response } from "./exchange.js";
import type { Label } from "./label.js";

/** What stands behind the listener. */
export interface Parts {
  /** The host that it listens on. */
  readonly host: string;
  readonly auth: Auth;
  readonly faults: Faults;
  readonly log: OpenLog;
  readonly label: Label;
  readonly clock: Clock;
  readonly random: Random;
  readonly postponed: Postponed;
  /** The time that the service believes it is, in milliseconds since 1970. */
  readonly serviceTime: (quirks: Quirks) => number;
  /** Answers in the mood of that request. */
  readonly serve: (request: Request, quirks: Quirks) => Response;
  /** Answers what is asked of the sandbox itself. */
  readonly control: (request: Request, caller: Caller) => Response;
  /** Called after each write. */
  readonly changed: () => void;
  /** Aborted when the server closes: what is kept waiting then is never answered. */
  readonly closing: AbortSignal;
  /** Called for what should never happen. */
  readonly report: (error: unknown) => void;
}
