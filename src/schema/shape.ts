import type { Json, JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";

/** What an id position points at: `of` in the hint `x-id`. `kinds/lookups` says how each is found by name. */
export type Target =
  | "app"
  | "entitlement"
  | "resourceType"
  | "resource"
  | "template"
  | "user"
  | "accessProfile"
  | "policy"
  | "riskLevel"
  | "complianceFramework"
  | "other";

/** Members of one object of which at most one may be set: the service's one-of. */
export interface Group {
  readonly name: string;
  /** What is chosen from; a choice that remit has no name for stands under the group's own name. */
  readonly members: readonly string[];
  /** Members that restrict nothing, such as `allUsers`: the hint `x-open`. */
  readonly open: readonly string[];
}

/** What a text means beyond its letters, which decides how it is spelled, compared and shown. */
export type TextForm =
  | { readonly is: "plain" }
  | { readonly is: "text" }
  /** `environment` says which names and types it knows: the hint `x-environment`. */
  | { readonly is: "expression"; readonly environment: string }
  | { readonly is: "duration" }
  | { readonly is: "timestamp" }
  /** `open` are values in a list with which the list restricts nothing: the hint `x-open`. */
  | {
      readonly is: "enum";
      readonly values: readonly string[];
      readonly unset: readonly string[];
      readonly open: readonly string[];
    }
  /** `within` names the sibling member that holds the app's id, where the id is unique only in an app. */
  /** `manifest` is the kind of the manifests of the project that may stand in its place: the hint `x-manifest`. */
  | { readonly is: "id"; readonly of: Target; readonly within?: string; readonly manifest?: string };

/** What of a text's spelling means nothing, where the hint `x-free` says so: the service may write it otherwise. */
export type FreeSpelling = "white space" | "precision";

/** How a list is compared: by membership, by the named members of its items, or place by place. */
export type ListOrder =
  | { readonly by: "set" }
  | { readonly by: "key"; readonly key: readonly string[] }
  | { readonly by: "place" };

/** What a value means for what it is in. */
interface Restricting {
  /** What is set restricts, with everything in it; what is unset restricts nothing: the hint `x-narrows`. */
  readonly narrows?: true;
  /** With more of it, or with less, more is let through: a longer list, a shorter time. The hint `x-wider`. */
  readonly wider?: "more" | "less";
  /** What the service does by itself once the field has one of these values, as a sentence: the hint `x-alerts`. */
  readonly alerts?: Readonly<Record<string, string>>;
  /** It is used only where a sibling has this value: the hint `x-only-with`. */
  readonly onlyWith?: { readonly sibling: string; readonly value: string };
}

/** What a value may be and how it is compared: a JSON Schema's structure and hints, without its prose. */
export type Shape = Restricting & Form;

type Form =
  | {
      readonly type: "object";
      readonly fields: ReadonlyMap<string, Shape>;
      readonly groups: readonly Group[];
    }
  /** An empty object whose presence is the value: `allUsers: {}`. `selects`: what it chooses is kept where nothing shows it. */
  | { readonly type: "marker"; readonly selects?: "elsewhere" }
  | { readonly type: "map"; readonly value: Shape }
  | { readonly type: "list"; readonly item: Shape; readonly order: ListOrder }
  | { readonly type: "string"; readonly form: TextForm; readonly free?: FreeSpelling }
  | { readonly type: "boolean" }
  /** A whole number; 0 is unset. */
  | { readonly type: "number" };

/** How a spec's own fields are used beside their shape. */
export interface SpecShape {
  readonly type: "object";
  readonly fields: ReadonlyMap<string, Shape>;
  readonly groups: readonly Group[];
  /** Fields that name the object to the server, in the order of its key. */
  readonly identity: readonly string[];
  /** Fields that every object has, beside its identity. */
  readonly required: readonly string[];
  /** What fields that name the object mean where a manifest leaves them out. */
  readonly defaults: JsonObject;
  /** Fields used when the object is created and never compared. */
  readonly createOnly: readonly string[];
  /** Those of them that every manifest has. */
  readonly always: readonly string[];
  /** Those of them that no create goes without. */
  readonly neededToCreate: readonly string[];
  /** Fields that each write of the object sends, and that the object does not have. */
  readonly requestOnly: readonly string[];
}

/** A rule of the schema that a value breaks: where, what, and what to do. */
export interface ValueDiagnostic {
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly path: readonly (string | number)[];
  /** Whether the place is the member's name or its value. */
  readonly on: "name" | "value";
  readonly message: string;
  readonly hint?: string;
  readonly related?: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
}

/** Checks a value and gives every problem, in remit's own words. */
export type Check = (value: Json) => readonly ValueDiagnostic[];

/** The shape of the value that a path leads to; undefined where the schema describes none. */
export function shapeAt(shape: Shape | SpecShape, path: Path): Shape | SpecShape | undefined {
  return path.reduce<Shape | SpecShape | undefined>((here, part) => {
    if (here?.type === "object") return here.fields.get(String(part));
    if (here?.type === "map") return here.value;
    return here?.type === "list" ? here.item : undefined;
  }, shape);
}

/** Anything with fields: an object inside, or a kind's whole spec. */
export type ObjectShape = Extract<Shape, { readonly type: "object" }> | SpecShape;

export type TextShape = Extract<Shape, { type: "string" }>;

export type ListShape = Extract<Shape, { type: "list" }>;
