/** Whether a text is like a pattern, in which `*` stands for any text. */
export function makePattern(pattern: string): (text: string) => boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const whole = new RegExp(`^${parts.join(".*")}$`, "s");
  return (text) => whole.test(text);
}
