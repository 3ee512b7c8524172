import type { Section } from "./saying.js";

export const SERVICE = {
  heading: "service: reads",
  rows: {
    "service/read-failed": {
      severity: "error",
      title: "A read failed, and retries did not help",
      help: "Try again; `-v` shows every call.",
    },
    "service/not-allowed": {
      severity: "error",
      title: "The server answered 403",
      help: "Give the client a role that may make this read. `remit doctor` shows what each kind needs.",
    },
    "service/refused-token": {
      severity: "error",
      title: "The service refused the token (401)",
      help: "Get a new one: it has expired, was revoked, or belongs to another tenant. The exit code is 4.",
      // An engine that tries again on 1 must not try a token again.
      exit: "refused",
    },
    "service/unreachable": {
      severity: "error",
      title: "No connection",
      help: "Check the server's address, the network and its proxies.",
    },
    "service/wrong-credentials": {
      severity: "error",
      title: "The service refused the client id or the secret",
      help: "Set the right ones. With workload identity, check the client id and what the tenant trusts of the identity token.",
    },
    "service/strange-reply": {
      severity: "error",
      title: "The reply does not come from the service",
      help: "Check the server's address and the proxies.",
    },
    "service/part-missing": {
      severity: "error",
      title: "The service does not show a part of an object",
      help: "Nothing of the object is known without it. Check the ids in the manifest, then plan again.",
    },
    "service/blank-fields": {
      severity: "error",
      title: "The service shows an object without a field that each has",
      help: "What a token may not see is shown blank, so nothing of the object is known. Use a token whose user may read it.",
    },
    "service/not-offered": {
      severity: "error",
      title: "The server answers a read as if it did not offer it",
      help: "Set `interface: { KIND: core }` if the server has no such read.",
      cases: {
        notListed: {
          message: "the service has no list of {nouns}{where}{why}",
          hint: "remit shows only what the service lists.",
        },
      },
    },
  },
} as const satisfies Section;
