/** A server as it may be published: without credentials, query and fragment, however it was written. */
export function publicServer(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : null;
  if (url === null || url.host === "") return server.replace(/^.*@/, "");
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`;
}
