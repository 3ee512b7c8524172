/** An address of Terraform, taken apart. */
interface TerraformAddress {
  /** The resource type, such as `conductorone_app_resource_type`. */
  readonly type: string;
  /** The address without the keys of instances: the resource as a configuration has it. */
  readonly resource: string;
  /** The names and keys of modules, the resource and the instance, in order. */
  readonly words: readonly string[];
}

/** A name, with the key of an instance where it has one. Terraform writes only printable characters. */
const SEGMENT = /([\p{L}_][\p{L}\p{N}_-]*)(?:\[(\d+|"(?:[^"\\]|\\.)*")\])?(?:\.|$)/uy;
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;
const LONGEST = 2_000;

/** Reads the address of an instance; null for a text that Terraform would not write. */
export function readTerraformAddress(text: string): TerraformAddress | null {
  if (text.length > LONGEST || !PRINTABLE.test(text) || text.endsWith(".")) return null;
  const segments: { readonly name: string; readonly key: string | null }[] = [];
  SEGMENT.lastIndex = 0;
  while (SEGMENT.lastIndex < text.length) {
    const found = SEGMENT.exec(text);
    if (found === null) return null;
    segments.push({ name: found[1] ?? "", key: found[2] === undefined ? null : keyOf(found[2]) });
  }
  const [type, last] = segments.slice(-2);
  const modules = segments.slice(0, -2);
  if (type === undefined || last === undefined || type.key !== null) return null;
  const isNested =
    modules.length % 2 === 0 &&
    modules.every(({ name, key }, at) => at % 2 === 1 || (name === "module" && key === null));
  if (!isNested) return null;
  const named = [...modules.filter((_, at) => at % 2 === 1), last];
  return {
    type: type.name,
    resource: segments.map(({ name }) => name).join("."),
    words: named.flatMap(({ name, key }) => (key === null ? [name] : [name, key])),
  };
}

/** A key as its author wrote it; escapes stand for single characters. */
function keyOf(written: string): string {
  if (!written.startsWith('"')) return written;
  return written
    .slice(1, -1)
    .replace(/\\(u[0-9a-f]{4}|U[0-9a-f]{8}|.)/g, (whole, escaped: string) => meantBy(whole, escaped))
    .replace(/([$%])\1\{/g, "$1{");
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };

function meantBy(whole: string, escaped: string): string {
  if (escaped.length === 1) return ESCAPES[escaped] ?? whole;
  const code = Number.parseInt(escaped.slice(1), 16);
  return code > 0x10ffff ? whole : String.fromCodePoint(code);
}
