/** Who sent a request, as far as that is known. */
export interface Visitor {
  /** The client that the request's token stands for; empty where there is none. */
  readonly client: string;
  /** Whether the request comes from this machine. */
  readonly isLocal: boolean;
}

/** Whether an address is this machine's own. */
export function isLocal(address: string | undefined): boolean {
  return address !== undefined && (address === "::1" || /^(::ffff:)?127\./.test(address));
}
