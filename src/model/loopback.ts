const NAMES: ReadonlySet<string> = new Set(["localhost", "::1", "[::1]"]);

/** Whether a host name is this machine by its form alone, with or without the brackets of a URL; nothing is looked up. */
export function isLoopback(hostname: string): boolean {
  return NAMES.has(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname);
}
