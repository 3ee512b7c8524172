import type { Tree } from "../manifest/format/anyManifest.js";

/** How a manifest shares text: not at all, between its labels and its fields, or by a merge of its labels. */
export type Sharing = (typeof SHARINGS)[number];
export const SHARINGS = ["nothing", "aliases in fields", "anchors in fields", "a merge"] as const;

type MapTree = Extract<Tree, { readonly is: "map" }>;

/** A manifest whose fields and labels share text: short texts only, so that each can be a label. */
export function sharing(tree: Tree, how: Sharing, without: readonly string[]): Tree {
  if (tree.is !== "map" || how === "nothing") return tree;
  const member = (name: string) => tree.pairs.find(([each]) => each === name)?.[1];
  const [metadata, spec] = [member("metadata"), member("spec")];
  if (metadata?.is !== "map" || spec?.is !== "map") return tree;
  const rest = tree.pairs.filter(([name]) => name !== "metadata" && name !== "spec");
  if (how === "a merge") {
    const [moved, kept] = divided(spec, without);
    if (moved.length === 0) return tree;
    const labels = `&m { ${moved.map(([name, text]) => `${name}: ${text}`).join(", ")} }`;
    return joined(rest, labelled(metadata, labels), {
      ...spec,
      flow: false,
      pairs: [["<<", scalar("*m")], ...kept],
    });
  }
  const seen = new Map<string, string>();
  const first = (text: string) => {
    const name = `a${seen.size}`;
    seen.set(text, name);
    return `&${name} ${text}`;
  };
  const [named, other] = how === "aliases in fields" ? ([false, true] as const) : ([true, false] as const);
  const fields = mapped(spec, (text) => {
    const known = seen.get(text);
    if (known !== undefined) return `*${known}`;
    const anchored = first(text);
    return named ? anchored : `*${seen.get(text)}`;
  });
  const labels = [...seen].map(([text, name]) => `l${name}: ${other ? `&${name} ${text}` : `*${name}`}`);
  if (labels.length === 0) return tree;
  const own = labelled(metadata, `{ ${labels.join(", ")} }`);
  return other
    ? joined(rest, own, fields)
    : { ...joined(rest, own, fields), pairs: [...rest, ["spec", fields], ["metadata", own]] };
}

const SHORT = /^("?)[A-Za-z0-9]{1,40}\1$/;
const scalar = (text: string): Tree => ({ is: "scalar", text });

function joined(rest: MapTree["pairs"], metadata: MapTree, spec: MapTree): MapTree {
  return { is: "map", flow: false, pairs: [...rest, ["metadata", metadata], ["spec", spec]] };
}

function labelled(metadata: MapTree, labels: string): MapTree {
  return { ...metadata, flow: false, pairs: [...metadata.pairs, ["labels", scalar(labels)]] };
}

/** The short texts directly in a map, and the rest of it. */
function divided({ pairs }: MapTree, without: readonly string[]) {
  const moved: (readonly [string, string])[] = [];
  const kept = pairs.filter(([name, value]) => {
    if (value.is !== "scalar" || !isText(value.text) || without.includes(name)) return true;
    moved.push([name, value.text]);
    return false;
  });
  return [moved, kept] as const;
}

function isText(text: string): boolean {
  return SHORT.test(text) && !/^(true|false|null|\d+)$/.test(text);
}

function mapped<T extends Tree>(tree: T, change: (text: string) => string): T {
  if (tree.is === "scalar") return isText(tree.text) ? { ...tree, text: change(tree.text) } : tree;
  if (tree.is === "lines") return tree;
  if (tree.is === "list") return { ...tree, items: tree.items.map((item) => mapped(item, change)) };
  return { ...tree, pairs: tree.pairs.map(([name, value]) => [name, mapped(value, change)] as const) };
}
