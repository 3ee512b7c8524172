/** How to write a number that stands where a duration belongs; undefined for any other text. */
export function withUnit(text: string): string | undefined {
  if (!/^[0-9]{1,9}$/.test(text)) return undefined;
  return `Write its unit: ${text}d for days, or ${text}h, ${text}m, ${text}s.`;
}
