/** One request as it goes on the wire. */
export interface Message {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A text leaves in one piece with the headers; bytes would be a second write. */
  readonly body: string | undefined;
  /** Milliseconds it may take, where it may take longer than others. */
  readonly timeout?: number;
  /** Whether it gets a connection of its own: the server may close those that are kept open. */
  readonly isOnNewConnection?: boolean;
}

/** What became of one request: a whole reply, whatever it says, or none and why. */
export type Answer =
  | {
      readonly as: "reply";
      readonly status: number;
      readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
      readonly body: Uint8Array;
      /** Milliseconds from the end of the request to the end of the reply: without what a new connection took. */
      readonly took: number;
    }
  | {
      readonly as: "lost";
      /** Whether any byte of it may have reached the service. */
      readonly sent: boolean;
      /** Whether the service's certificate is the reason; another attempt fares no better. */
      readonly untrusted: boolean;
      /** The system's code of the fault: `ECONNREFUSED`. */
      readonly code: string;
    }
  | {
      /** A reply that is larger, inflated, than may be read; it was not read to its end. */
      readonly as: "too large";
      readonly most: number;
    };

/** Sends one request as it is, once: no retry, no redirect; never throws. */
export type Transmit = (message: Message, signal?: AbortSignal) => Promise<Answer>;
