import type { JsonObject } from "../../model/json.js";
import { plantTree } from "./plant.js";
import { print } from "./print.js";
import { withEscapes } from "./unseen.js";

/** A manifest to be written: its content, and what its first lines say to editors and readers. */
interface NewManifest {
  readonly kind: string;
  readonly name: string;
  /** The contexts that it belongs to; absent for each. */
  readonly contexts?: readonly string[];
  readonly spec: JsonObject;
  /** Where the editor finds the schema of the kind; null for no such line. */
  readonly schema: string | null;
  /** Comments above the document, a line each. */
  readonly comments: readonly string[];
}

/** How a manifest writes its name: `member[eng]` is the row `eng` of `member`. */
export function metadataNamed(name: string): { readonly name: string; readonly row?: string } {
  const [, shape = "", row = ""] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name) ?? [];
  return row === "" ? { name } : { name: shape, row };
}

/** A manifest as text in the canonical layout. Texts that a block cannot hold are quoted; line ends are LF. */
export function writeManifest({ kind, name, contexts, spec, schema, comments }: NewManifest): string {
  const metadata = { ...metadataNamed(name), ...(contexts !== undefined && { contexts }) };
  const content = { apiVersion: "remit/v1", kind, metadata, spec };
  const head = [
    ...(schema === null ? [] : [`# yaml-language-server: $schema=${schema}`]),
    ...comments
      .flatMap((comment) => comment.split(/[\r\n\u2028\u2029\u0085]+/))
      .map((line) => `# ${withEscapes(line)}`.trimEnd()),
  ];
  return print([{ above: [], text: "", beside: [], root: { ...plantTree(content), head } }]);
}
