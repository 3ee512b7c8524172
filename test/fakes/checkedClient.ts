import type { Call } from "../../src/model/call.js";
import type { Client } from "../../src/tenant/client/client.js";
import { ApiError, NO_REPLY } from "../../src/tenant/client/error.js";

/** A client that shows each call to a check before it sends it. A check that throws is what becomes of the call. */
export function checkedClient(client: Client, check: (call: Call) => void): Client {
  return {
    ...client,
    async send(call, options) {
      check(call);
      return client.send(call, options);
    },
    async *pages(call, options) {
      check(call);
      yield* client.pages(call, options);
    },
  };
}

/** The error of a call that the service itself refuses with that status. */
export function refusal(call: Call, status: number, message = `answered ${status}`): ApiError {
  const facts = { next: "stop", progress: "replied", attempts: 1, own: true } as const;
  return new ApiError(message, { ...NO_REPLY, ...facts, status, call });
}
