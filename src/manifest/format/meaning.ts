import { type Document, isAlias, isMap, isPair, isScalar, isSeq } from "yaml";
import type { Comment } from "./comments.js";

/** What documents say, comments too, as one text: equal where they say the same, whatever the order of their fields. */
export function meaning(documents: readonly Document.Parsed[], comments: readonly Comment[]): string {
  return JSON.stringify([documents.map(meaningOf), comments.map((comment) => comment.text).sort()]);
}

function meaningOf(document: Document.Parsed): string {
  const anchors = new Map<string, string>();
  const read = (node: unknown, path: string): string => {
    if (isAlias(node)) return `alias ${anchors.get(node.source)}`;
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return "null";
    if (node.anchor !== undefined) anchors.set(node.anchor, path);
    const marks = JSON.stringify([node.tag ?? null, node.anchor ?? null]);
    if (isScalar(node)) return `${marks}${typeof node.value} ${JSON.stringify(String(node.value))}`;
    if (isSeq(node)) return `${marks}[${node.items.map((item, index) => read(item, `${path}/${index}`))}]`;
    const pairs = node.items.flatMap((pair) => {
      if (!isPair(pair)) return [];
      const key = read(pair.key, `${path}/key`);
      return [`${key}:${read(pair.value, `${path}/${key}`)}`];
    });
    return `${marks}{${pairs.sort()}}`;
  };
  return `${JSON.stringify(document.directives.yaml.version)}${read(document.contents, "")}`;
}
