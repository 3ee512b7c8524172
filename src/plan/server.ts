import type { Diagnostic } from "../model/diagnostic.js";
import type { Snapshot } from "../state/snapshot.js";
import { say } from "../words/say.js";

/** A server as it may be published: without credentials, query and fragment, however it was written. */
export function publicServer(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : null;
  if (url === null || url.host === "") return bare(server);
  // A mark in a password ends the host early: what was meant for one stands behind the last @.
  const rest = `${url.pathname}${url.search}${url.hash}`;
  if (rest.includes("@")) return `${url.protocol}//${bare(rest)}`;
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`;
}

function bare(text: string): string {
  return text.replace(/^.*@/s, "").replace(/[?#].*$/s, "");
}

/** Why nothing is planned where the state belongs to another server: its ids mean nothing there. */
export function otherServer(
  snapshot: Pick<Snapshot, "server"> | null,
  server: string,
): readonly Diagnostic[] {
  if (snapshot === null || publicServer(snapshot.server) === publicServer(server)) return [];
  return [
    say("plan/other-server#state", {
      server: publicServer(snapshot.server),
      server2: publicServer(server),
    }),
  ];
}
