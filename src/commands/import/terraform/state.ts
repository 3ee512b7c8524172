import type { Kind, TerraformResource } from "../../../kinds/kind.js";
import { type Checked, type Diagnostic, refuse } from "../../../model/diagnostic.js";
import { isObject, type Json, type JsonObject, parseJson } from "../../../model/json.js";
import { type Key, unfitCharacter } from "../../../model/key.js";
import { say } from "../../../words/say.js";
import { readTerraformAddress } from "./address.js";

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
