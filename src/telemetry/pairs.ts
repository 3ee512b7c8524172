/** What `a=1,b=2` says, percent-encoded; null where a text is something else. */
export function pairsIn(text: string | undefined): Readonly<Record<string, string>> | null {
  try {
    const pairs = (text ?? "").split(",").filter((pair) => pair.trim() !== "");
    const entries = pairs.map((pair) => {
      const [, name = "", value = ""] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      return [name, decodeURIComponent(value)] as const;
    });
    return entries.some(([name]) => name === "") ? null : Object.fromEntries(entries);
  } catch {
    return null;
  }
}
