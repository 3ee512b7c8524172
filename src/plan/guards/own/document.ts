import schema from "../../../../schemas/guard.json" with { type: "json" };
import { guardFault } from "../../../impact/guard/mistake.js";
import { kinds } from "../../../kinds/index.js";
import { memberIn, nodesIn, parseExpression, textIn } from "../../../manifest/cel.js";
import { readCompanions } from "../../../manifest/companion.js";
import { faultAt } from "../../../manifest/expressions.js";
import { locate, type Written } from "../../../manifest/locate.js";
import type { Place } from "../../../manifest/resource.js";
import type { Source } from "../../../manifest/source.js";
import { type Checked, type Diagnostic, hasErrors } from "../../../model/diagnostic.js";
import type { JsonObject } from "../../../model/json.js";
import type { Path } from "../../../model/path.js";
import { compile } from "../../../schema/compile.js";
import { say } from "../../../words/say.js";
import { fingerprint } from "../../saved/spelling.js";
import { languageOf } from "./languageOf.js";
import {
  GUARD_ACTIONS,
  type GuardAction,
  type GuardLevel,
  type GuardScope,
  type OwnGuard,
} from "./ownGuard.js";

/** A document of kind Guard: the guard, and the tests of it as they are written. */
export interface GuardDocument {
  readonly guard: OwnGuard;
  readonly tests: readonly JsonObject[];
  readonly place: (path: Path) => Place;
}

const check = compile(schema, "the guard");

/** The guards of texts, and what is wrong with them. A document with a mistake is left out. */
export function readGuards(sources: readonly Source[]): Checked<readonly GuardDocument[]> {
  const { value: documents, diagnostics: told } = readCompanions(sources, "Guard", check);
  const diagnostics = [...told];
  const guards = new Map<string, GuardDocument>();
  for (const { value, written } of documents) {
    const { value: read, diagnostics: faults } = readGuard(value as unknown as WrittenGuard, written);
    diagnostics.push(...faults);
    const same = guards.get(read.guard.name);
    if (same !== undefined) diagnostics.push(repeated(read, same));
    else if (!hasErrors(faults)) guards.set(read.guard.name, read);
  }
  return { value: [...guards.values()], diagnostics };
}

/** A document as the schema has it. */
interface WrittenGuard {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly on:
      | "plan"
      | {
          readonly kinds?: readonly string[];
          readonly actions?: readonly GuardAction[];
          readonly labels?: Readonly<Record<string, string>>;
          readonly contexts?: readonly string[];
        };
    readonly trips: string;
    readonly message: string;
    readonly level?: GuardLevel;
    readonly tests?: readonly JsonObject[];
  };
}

function readGuard({ metadata, spec }: WrittenGuard, written: Written): Checked<GuardDocument> {
  const { trips, message, level = "acknowledge", tests = [] } = spec;
  const on = scopeOf(spec.on);
  const about = on.as === "plan" ? "plan" : "step";
  const fault = guardFault(trips, about, languageOf({ on }), WORDS);
  const faults = fault === null ? [] : [faultAt(fault, written, ["spec", "trips"], trips.trimEnd())];
  const diagnostics = faults.map((one): Diagnostic => ({ ...one, severity: "error" }));
  const place = (path: Path) => locate(written, path);
  const { span } = place(["metadata", "name"]);
  const asks = fault === null ? asksFor(trips) : ASKS_NOTHING;
  const guard: OwnGuard = {
    name: metadata.name,
    on,
    trips,
    message,
    level,
    definition: `sha256:${fingerprint({ on: spec.on, trips: trips.trimEnd(), message, level })}`,
    place: { file: span.file, line: span.start.line },
    readsPeople: asks.readsPeople,
    readsLabels: asks.readsLabels || (on.as === "steps" && Object.keys(on.labels).length > 0),
    holds: asks.holds,
  };
  return { value: { guard, tests, place }, diagnostics };
}

const ASKS_NOTHING = { readsPeople: false, readsLabels: false, holds: [] };

const WORDS = { action: GUARD_ACTIONS, kind: kinds.map(({ name }) => name) };

function scopeOf(on: WrittenGuard["spec"]["on"]): GuardScope {
  if (on === "plan") return { as: "plan" };
  const { kinds: named = null, actions = null, labels = {}, contexts = null } = on;
  return { as: "steps", kinds: named, actions, labels, contexts };
}

function repeated({ guard, place }: GuardDocument, { guard: { place: first } }: GuardDocument): Diagnostic {
  return say(
    "guard/repeated",
    { name: guard.name, file: first.file, line: first.line },
    place(["metadata", "name"]),
  );
}

/** What the expression of a guard asks for that is not in the step itself. */
interface GuardNeeds {
  /** Whether it asks who gains, loses, enters, leaves or holds something. */
  readonly readsPeople: boolean;
  /** Whether it asks for the labels of a step. */
  readonly readsLabels: boolean;
  /** The entitlements for which it asks who holds them, as it writes them. */
  readonly holds: readonly (readonly [app: string, entitlement: string])[];
}

/** What an expression asks for. Entitlements whose names it computes are not among them, and stay unknown. */
function asksFor(expression: string): GuardNeeds {
  const open = [parseExpression(expression.trimEnd()).ast];
  const holds: (readonly [string, string])[] = [];
  let [readsPeople, readsLabels] = [false, false];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.op === "id" && node.args === "people") readsPeople = true;
    if (memberIn(node) === "labels") readsLabels = true;
    if (node.op === "call" && node.args[0] === "holds") {
      const [, app, entitlement] = node.args[1].map(textIn);
      if (typeof app === "string" && typeof entitlement === "string") holds.push([app, entitlement]);
      readsPeople = true;
    }
    open.push(...nodesIn(node.args));
  }
  return { readsPeople, readsLabels, holds };
}
