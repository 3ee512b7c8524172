const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** A date-time in UTC with `Z` and no idle zeros, whatever its offset. Undefined when it is none. */
export function canonicalTimestamp(text: string): string | undefined {
  const parts = RFC3339.exec(text);
  if (parts === null) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // A day that its month does not have would run over into the next.
  const isReal =
    year > 0 &&
    local.getUTCMonth() === month - 1 &&
    local.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  if (!isReal) return undefined;
  const offset = (Number(parts[9] ?? 0) * 60 + Number(parts[10] ?? 0)) * (parts[8] === "-" ? -1 : 1);
  const utc = new Date(local.getTime() - offset * 60_000);
  const fraction = (parts[7] ?? "").replace(/0+$/, "");
  return `${utc.toISOString().slice(0, 19)}${fraction === "" ? "" : `.${fraction}`}Z`;
}
