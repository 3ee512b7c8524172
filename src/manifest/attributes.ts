import { memberIn, nodesOf, parseExpression } from "./cel.js";

/** The members of the subject's profile that an expression names, each once; none where the text does not parse. */
export function profileNamesIn(text: string): readonly string[] {
  try {
    const names = nodesOf(parseExpression(text).ast).flatMap((node): string | readonly string[] => {
      if ((node.op !== "." && node.op !== "[]") || !isProfile(node.args[0])) return [];
      return memberIn(node) ?? [];
    });
    return [...new Set(names)];
  } catch {
    return [];
  }
}

function isProfile(node: ReturnType<typeof nodesOf>[number]): boolean {
  return (
    node.op === "." &&
    node.args[1] === "profile" &&
    node.args[0].op === "id" &&
    node.args[0].args === "subject"
  );
}
