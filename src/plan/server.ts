/** A server as it may be published: without credentials, query and fragment, however it was written. */
export function publicServer(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : null;
  if (url === null || url.host === "") return bare(server);
  // A slash in a password ends the host early: what was meant for one stands behind the last @.
  if (url.pathname.includes("@")) return `${url.protocol}//${bare(url.pathname)}`;
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`;
}

function bare(text: string): string {
  return text.replace(/^.*@/s, "").replace(/[?#].*$/s, "");
}
