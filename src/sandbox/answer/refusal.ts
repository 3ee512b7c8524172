/** The words of google.rpc.Code that the service answers with, their numbers and their HTTP status. */
const CODES = {
  unknown: { code: 2, status: 500 },
  invalidArgument: { code: 3, status: 400 },
  notFound: { code: 5, status: 404 },
  alreadyExists: { code: 6, status: 409 },
  permissionDenied: { code: 7, status: 403 },
  failedPrecondition: { code: 9, status: 400 },
  unimplemented: { code: 12, status: 501 },
} as const;

type Reason = keyof typeof CODES;

/** Thrown by an operation that will not do what it is asked; the routes make the error reply of it. */
export class Refusal extends Error {
  readonly code: number;
  readonly status: number;

  constructor(reason: Reason, message: string) {
    super(message);
    this.code = CODES[reason].code;
    this.status = CODES[reason].status;
  }
}
