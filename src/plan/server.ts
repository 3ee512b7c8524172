/** A server as it may be published: without credentials, query and fragment, however it was written. */
export function publicServer(server: string): string {
  if (!URL.canParse(server)) return server.replace(/^[^/]*\/\/[^/]*@/, "");
  const { protocol, host, pathname } = new URL(server);
  if (host === "") return server;
  return `${protocol}//${host}${pathname.replace(/\/+$/, "")}`;
}
