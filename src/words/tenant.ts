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
      exit: "invalid",
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
      message: "{why}",
      hint: "Nothing was changed. Check the ids in the manifest, then plan again.",
    },
    "service/blank-fields": {
      severity: "error",
      title: "The service shows an object without a field that each has",
      help: "What a token may not see is shown blank, so nothing of the object is known. Use a token whose user may read it.",
      hint: "What a token may not see is shown blank. Use a token whose user may read these objects.",
      cases: {
        one: {
          message: "the service shows the {noun} without its {named}",
        },
        some: {
          message: "the service shows {count} {noun} blank, which may be the one that is meant",
        },
      },
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
        noList: {
          message: "the service has no list of {noun}: {why}",
          hint: "Without the list remit cannot find these objects. Write their ids into manifests by hand.",
        },
        unseen: {
          message: "{why}",
          hint: "The server answers as if it had no such read, but remit can read other objects of it. Run again later.",
        },
        missingRead: {
          message: "{why}, but the server answers other reads: {nouns} may exist and cannot be read",
          hint: "If the server has no such read, write `interface: { {name}: core }` in remit.yaml.",
        },
        appOfName: {
          message: "GET {path} answered 404 in the service's own form: the server may have no reads",
          hint: "remit cannot decide from this answer which interface the server has. If it has no reads, write `interface: core` in remit.yaml.",
        },
      },
    },
  },
} as const satisfies Section;
