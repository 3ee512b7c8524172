import { compare } from "../../diff/compare.js";
import { kindNamed } from "../../kinds/index.js";
import type { Kind } from "../../kinds/kind.js";
import { normaliseWritten } from "../../kinds/normalise.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import { keeping } from "../../plan/decide/decision.js";
import type { GuardAction, OwnGuard } from "../../plan/guards/own/ownGuard.js";
import type { Labels } from "../../plan/select/labels.js";
import type { Step } from "../../plan/step.js";
import { didYouMean } from "../../schema/didYouMean.js";
import type { Shape, SpecShape } from "../../schema/shape.js";
import { plainSpec } from "../plainSpec.js";
import type { TestDocument } from "./document.js";
import { type MadeUp, mistakesIn, type TestMistake } from "./people.js";

/** A test of a guard: made-up steps and people, and what the guard must say. */
export interface GuardTest extends MadeUp, Pick<TestDocument, "today"> {
  readonly name: string | null;
  readonly context: string;
  readonly steps: readonly Step[];
  readonly trips: boolean | "unknown";
}

/** Reads a test that matches the schema. */
export function readGuardTest(
  written: JsonObject,
  guard: OwnGuard,
  apps: Readonly<Record<string, string>>,
): GuardTest | TestMistake {
  const { name, context, today, people, entitlements, steps, trips } = written;
  const each: readonly (readonly [JsonObject, Path])[] = Array.isArray(steps)
    ? steps.map((step, at) => [step as JsonObject, ["steps", at]])
    : [[written, []]];
  const made: Step[] = [];
  for (const [one, path] of each) {
    const step = stepOf(one, path, guard, apps);
    if ("problem" in step) return step;
    made.push(step);
  }
  const said = { people: people ?? {}, entitlements: entitlements ?? {} } as unknown as MadeUp;
  const [mistake] = mistakesIn(said);
  if (mistake !== undefined) return mistake;
  return {
    name: typeof name === "string" ? name : null,
    context: typeof context === "string" ? context : "",
    today: typeof today === "string" ? today : null,
    ...said,
    steps: made,
    trips: trips as boolean | "unknown",
  };
}

function stepOf(
  { kind: named, name = "tested", action: asked, labels, before: was, after: is }: JsonObject,
  path: Path,
  { on }: OwnGuard,
  apps: Readonly<Record<string, string>>,
): Step | TestMistake {
  const usual = on.as === "steps" && on.kinds?.length === 1 ? on.kinds[0] : undefined;
  const kind = kindNamed(String(named ?? usual));
  if (kind === undefined)
    return { problem: "the test does not say which kind its step is of", hint: "Write `kind:`.", path };
  for (const [side, value] of [
    ["before", was],
    ["after", is],
  ] as const) {
    const wrong = isObject(value ?? null)
      ? unknownField(value as JsonObject, kind.shape, [...path, side])
      : null;
    if (wrong !== null) return wrong;
  }
  const action = (asked ??
    (was === undefined ? "create" : is === undefined ? "delete" : "update")) as GuardAction;
  const [before, after] = [was, is].map((value) =>
    isObject(value ?? null) ? specOf(value as JsonObject, kind, apps) : null,
  );
  return madeStep(kind, String(name), action, before ?? null, after ?? null, labels as Labels | undefined);
}

function specOf(spec: JsonObject, kind: Kind, apps: Readonly<Record<string, string>>): JsonObject {
  const plain = plainSpec({ spec }, kind.shape, { apps, user: (email) => email });
  return normaliseWritten(plain, kind.shape);
}

/** A field that the kind does not have: the guard would never see it. */
function unknownField(value: Json, shape: Shape | SpecShape, path: Path): TestMistake | null {
  if (shape.type === "list" && Array.isArray(value))
    return first(value.map((item, at) => unknownField(item, shape.item, [...path, at])));
  if (!isObject(value)) return null;
  if (shape.type === "map")
    return first(Object.entries(value).map(([name, one]) => unknownField(one, shape.value, [...path, name])));
  if (shape.type !== "object") return null;
  return first(
    Object.entries(value).map(([name, one]) => {
      const field = shape.fields.get(name);
      if (field !== undefined) return unknownField(one, field, [...path, name]);
      const known = [...shape.fields.keys()];
      const hint = didYouMean(name, known) ?? `The fields are ${known.join(", ")}.`;
      return { problem: `the kind has no field ${name}`, hint, path: [...path, name] };
    }),
  );
}

function first(found: readonly (TestMistake | null)[]): TestMistake | null {
  return found.find((one) => one !== null) ?? null;
}

function madeStep(
  kind: Kind,
  name: string,
  asked: GuardAction,
  before: JsonObject | null,
  after: JsonObject | null,
  labels: Labels | undefined,
): Step {
  const identity = Object.fromEntries(
    kind.shape.identity.map((part) => [part, (after ?? before)?.[part] ?? part]),
  );
  const isAccepted = asked === "accept";
  const span = { file: "", start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };
  const isWritten = labels !== undefined || (asked !== "delete" && asked !== "forget");
  const decision = keeping({
    address: { kind: kind.name, name },
    key: kind.shape.identity.map((part) => String(identity[part])),
    sight: { exists: before === null ? "no" : "yes", fingerprint: null },
    managed: {
      meanings: {},
      labels: isWritten ? (labels ?? {}) : null,
      span: isWritten ? span : null,
      identity,
      owned: [...kind.shape.fields.keys()],
      protected: false,
    },
    recorded: { record: null },
  });
  return {
    ...decision,
    action: isAccepted ? "adopt" : asked,
    reason: isAccepted ? "drift accepted" : "differs",
    recorded: { ...decision.recorded, driftedFrom: isAccepted ? (before ?? {}) : null },
    changes: compare(before ?? {}, after ?? {}, kind.shape).map((change) => ({
      change,
      cause: "edited",
      span: null,
      edit: null,
    })),
    before: isAccepted ? after : before,
    after,
    calls: [],
    needs: [],
    follows: [],
  };
}
