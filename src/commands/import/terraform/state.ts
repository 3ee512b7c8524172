import type { Kind, TerraformResource } from "../../../kinds/kind.js";
import { type Checked, type Diagnostic, refuse } from "../../../model/diagnostic.js";
import { isObject, type Json, type JsonObject, parseJson } from "../../../model/json.js";
import { type Key, unfitCharacter } from "../../../model/key.js";
import { say } from "../../../words/say.js";

/** An instance of a resource that Terraform manages, as far as remit reads it. */
export interface TerraformInstance {
  readonly kind: string;
  readonly key: Key;
  /** As Terraform writes it, with the keys of instances. */
  readonly address: string;
  /** The address without keys: a configuration has one block for all instances of it. */
  readonly resource: string;
  /** What the address says the object is called. */
  readonly called: string;
  /** The fields that no read of the service shows. */
  readonly unseen: JsonObject;
}

/** A resource that remit takes nothing from, and why. */
interface TerraformSkipped {
  readonly address: string;
  /** The address without keys, where Terraform manages the resource; else null. */
  readonly resource: string | null;
  readonly why: string;
}

/** What a state of Terraform says about objects that remit manages. Everything else in it is never looked at. */
export interface TerraformState {
  readonly instances: readonly TerraformInstance[];
  readonly skipped: readonly TerraformSkipped[];
  /** How many resources are of types that remit does not manage. */
  readonly others: number;
}

/**
 * Reads the output of `terraform show -json`, of a state or of a saved plan. A state may contain secrets: only the
 * address, the key and the unseen fields of resources of these kinds are taken from it. Null for a text that is none.
 */
export function readTerraformState(
  text: string,
  kinds: readonly Pick<Kind, "name" | "terraform">[],
  file: string,
): Checked<TerraformState | null> {
  const content = parseJson(text.startsWith("\uFEFF") ? text.slice(1) : text);
  if (!isObject(content))
    return refuse(unreadable(file, "it is not JSON, it breaks off, or it nests too deep"));
  if (typeof content.version === "number" && "lineage" in content)
    return refuse(unreadable(file, "it is the state itself, whose form belongs to Terraform"));
  const format = content.format_version;
  if (typeof format !== "string") return refuse(unreadable(file, "it is not from `terraform show -json`"));
  if (!/^[01]\./.test(format))
    return refuse(unreadable(file, "its format is newer than this version of remit"));
  // A saved plan also has the values that it plans: those are not in the tenant.
  const state = "planned_values" in content ? inside(content, "prior_state") : content;
  const root = inside(inside(state, "values"), "root_module");
  const byType = new Map(
    kinds.flatMap(({ name, terraform }) =>
      terraform
        ? [terraform.type, ...(terraform.or ?? [])].map((type) => [type, { name, terraform, type }] as const)
        : [],
    ),
  );
  const instances: TerraformInstance[] = [];
  const skipped: TerraformSkipped[] = [];
  let others = 0;
  for (const resource of resourcesIn(root)) {
    const kind = byType.get(typeof resource.type === "string" ? resource.type : "");
    if (kind === undefined) {
      others += 1;
      continue;
    }
    const read = instanceOf(resource, kind.name, kind);
    if ("why" in read) skipped.push(read);
    else instances.push(read);
  }
  return {
    value: { instances: instances.sort(byAddress), skipped: skipped.sort(byAddress), others },
    diagnostics: [],
  };
}

function* resourcesIn(module: Json): Generator<JsonObject> {
  for (const resource of listIn(module, "resources")) if (isObject(resource)) yield resource;
  for (const child of listIn(module, "child_modules")) yield* resourcesIn(child);
}

function instanceOf(
  resource: JsonObject,
  kind: string,
  {
    type,
    terraform: { key: attributes, unseen = {} },
  }: { readonly type: string; readonly terraform: TerraformResource },
): TerraformInstance | TerraformSkipped {
  const address = typeof resource.address === "string" ? resource.address : "";
  if (resource.mode !== "managed")
    return { address, resource: null, why: "Terraform only reads it (a data source)" };
  const parts = readTerraformAddress(address);
  if (parts === null || parts.type !== type)
    return { address, resource: null, why: "Terraform does not write such an address" };
  const skip = (why: string): TerraformSkipped => ({ address, resource: parts.resource, why });
  if (typeof resource.deposed_key === "string" && resource.deposed_key !== "")
    return skip("it is deposed: Terraform replaced it and will delete it");
  const values = inside(resource, "values");
  const sensitive = inside(resource, "sensitive_values");
  const hidden = attributes.find((name) => isObject(sensitive) && sensitive[name] === true);
  if (hidden !== undefined) return skip(`Terraform marks its attribute \`${hidden}\` as sensitive`);
  const key = attributes.map((name) => textIn(values, name));
  const unfit = attributes.find((_, place) => unfitCharacter(key[place] ?? "") !== null);
  if (unfit !== undefined) return skip(`its attribute \`${unfit}\` is not an id`);
  const written = Object.entries(unseen).flatMap(([field, name]) => {
    const isShown = JSON.stringify(inside(sensitive, name)).includes("true") === false;
    const value = inside(values, name);
    return isShown && (isText(value, ENUM_TEXT) || isListOfIds(value)) ? [[field, value] as const] : [];
  });
  return {
    kind,
    key,
    address,
    resource: parts.resource,
    called: parts.words.join(" "),
    unseen: Object.fromEntries(written),
  };
}

/** A value of an enum, or an id of a list; anything else in its place stays in the state. */
const [ENUM_TEXT, ID_TEXT] = [/^[A-Z][A-Z0-9_]{0,99}$/, /^[A-Za-z0-9]{1,99}$/];

function isText(value: Json, form: RegExp): boolean {
  return typeof value === "string" && form.test(value);
}

function isListOfIds(value: Json): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => isText(one, ID_TEXT));
}

function inside(value: Json | undefined, name: string): Json {
  return isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

function listIn(value: Json, name: string): readonly Json[] {
  const list = inside(value, name);
  return Array.isArray(list) ? list : [];
}

function textIn(value: Json, name: string): string {
  const text = inside(value, name);
  return typeof text === "string" ? text : "";
}

function byAddress(one: { readonly address: string }, other: { readonly address: string }): number {
  return one.address < other.address ? -1 : one.address > other.address ? 1 : 0;
}

function unreadable(file: string, why: string): Diagnostic {
  return say("terraform/unreadable#form", { file, why });
}

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
