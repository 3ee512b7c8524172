import type { Address } from "../model/address.js";
import type { Excerpt, Related, Span } from "../model/diagnostic.js";
import type { JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";

/** A stretch of a file, with the line it begins on where that file is a manifest or the project file. */
export interface Place {
  readonly span: Span;
  readonly excerpt?: Excerpt;
  /** Where a manifest uses what is written here, where that is elsewhere. */
  readonly related?: readonly Related[];
}

/** A manifest that has been checked: address, spec, and where each value stands. */
export interface Resource {
  readonly address: Address;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** As written and valid against the schema: sugar and references by name are still in it. */
  readonly spec: JsonObject;
  /** The file the manifest stands in, relative to the project, `-` for standard input. */
  readonly file: string;
  /**
   * The place of the value a path leads to, counted from the manifest's root (`["spec", "scope"]`);
   * of the nearest enclosing value where the path itself is not written. `origin`: where an author edits it.
   */
  readonly place: (path: Path, on?: "name" | "value" | "origin") => Place;
}
