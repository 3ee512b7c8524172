import type { Environment, ParseResult } from "@marcbachmann/cel-js";
import { HAS as HAS_TYPED } from "../../manifest/typedLanguage.js";
import { onceFor } from "../../model/onceFor.js";
import type { SpecShape } from "../../schema/shape.js";
import { isFilledIn, Person } from "../person.js";
import { NotRead } from "../rule/fault.js";
import { peopleLanguage } from "../rule/language.js";
import { type Field, type Fields, fieldsOf } from "./field.js";
import type { GuardInput, HeldFrom } from "./input.js";
import { type DeclaredMessages, declareMessage, GuardMessage } from "./message.js";
import { type GuardView, type Hearing, PEOPLE_FIELDS, PeopleValue } from "./people.js";

/** What one guard is asked about: one step, or a whole plan. */
export type GuardSubject = "step" | "plan";

/** The name under which an expression asks whether a field has a value: the library's own `has` knows no unknown. */
export const HAS = "remit_has";

/** The names under which an expression asks everyone in a list of people, and which of them something is true for. */
export const ASK = "remit_ask";
export const KEEP = "remit_keep";

/** The variables of an expression, by their names. */
export type GuardVariables = Readonly<Record<string, unknown>>;

/** Asks the people of an input one question of an expression. */
export type AskPeople = (facts: GuardVariables, input: GuardInput) => boolean | readonly Person[];

/** A language of guards: the types of what they read, and its values for one evaluation. */
export interface GuardLanguage {
  readonly environment: Environment;
  /** The fields of each message that it declares. */
  readonly declared: Readonly<Pick<DeclaredMessages, "get">>;
  /** An expression that is true, in which a name is a person. */
  readonly aboutPerson: (name: string) => ParseResult;
  /** The variables of an expression, for one input, its questions about people, and the texts that it writes. What they meet goes to `hearing`. */
  readonly facts: (
    input: GuardInput,
    questions: readonly AskPeople[],
    texts: ReadonlySet<string>,
  ) => GuardVariables;
  readonly hearing: Hearing;
  /** From what `holds` was answered since the last input. */
  readonly heldFrom: Set<HeldFrom>;
}

/** The plan as expressions read it. */
class PlanValue {
  readonly steps: readonly GuardMessage[];

  constructor(steps: readonly GuardMessage[]) {
    this.steps = steps;
  }
}

const TEXTS = ["address", "kind", "name", "action"];

/** The fields of a step, with those of the specs of some kinds in `before` and `after`. */
function stepFields(shapes: readonly Pick<SpecShape, "fields">[]): Fields {
  const spec = { type: "message", fields: fieldsOf(shapes), name: "Spec" } as const;
  const text = { type: "string" } as const;
  return new Map<string, Field>([
    ...TEXTS.map((name) => [name, text] as const),
    ["labels", { type: "map", value: text }],
    ["changed", { type: "list", item: text }],
    ["protected", { type: "bool" }],
    ["before", spec],
    ["after", spec],
  ]);
}

/** The variables of guards, which a mistake may have meant. */
export const VARIABLES: Readonly<Record<GuardSubject, readonly string[]>> = {
  step: ["step", "people", "plan", "context", "today"],
  plan: ["people", "plan", "context", "today"],
};

/** The language of guards about some kinds. */
export function guardLanguage(
  about: GuardSubject,
  shapes: readonly Pick<SpecShape, "fields">[],
): GuardLanguage {
  const environment = peopleLanguage(false);
  const hearing: Hearing = { unknown: null };
  const declared: DeclaredMessages = new Map();
  const makeStep = declareMessage(environment, "Step", stepFields(shapes), hearing, declared);
  environment.registerType("People", { ctor: PeopleValue, fields: PEOPLE_FIELDS });
  environment.registerType("Plan", { ctor: PlanValue, fields: { steps: "list<Step>" } });
  const types = { step: "Step", people: "People", plan: "Plan", context: "string", today: MOMENT };
  for (const name of VARIABLES[about]) environment.registerVariable(name, types[name as keyof typeof types]);
  const heldFrom = new Set<HeldFrom>();
  let holds: GuardInput["holds"] = () => ({ unknown: "nothing was asked yet" });
  let written: ReadonlySet<string> = new Set();
  environment.registerFunction(
    "holds(User, string, string): bool",
    (person: Person, app: string, entitlement: string) => {
      const held = holds(person, app, entitlement);
      if ("unknown" in held) {
        // A name that is computed may be of a person.
        const isWritten = [app, entitlement].every((text) => written.has(text));
        const what = isWritten ? `${app}/${entitlement}` : "an entitlement whose name is computed";
        hearing.unknown ??= `who holds ${what} is unknown: ${held.unknown}`;
        throw new NotRead("who holds an entitlement", { by: "the guard", why: held.unknown });
      }
      for (const from of held.from) heldFrom.add(from);
      return held.is;
    },
  );
  environment.registerFunction("day(string): google.protobuf.Timestamp", (text: string) => dayOf(text));
  environment.registerFunction(`${HAS}(dyn, string): bool`, hasField);
  environment.registerFunction(`${HAS_TYPED}(dyn): bool`, () => false);
  let ask: (question: bigint) => ReturnType<AskPeople> = () => false;
  environment.registerFunction(`${ASK}(int): bool`, (question: bigint) => ask(question));
  environment.registerFunction(`${KEEP}(int): list<User>`, (question: bigint) => ask(question));
  const aboutPerson = onceFor((name: string) => environment.clone().registerVariable(name, "User"));
  // Many guards ask about the same steps.
  const stepOf = onceFor(makeStep, new WeakMap());
  const planOf = onceFor((views: readonly GuardView[]) => new PlanValue(views.map(stepOf)), new WeakMap());
  const variablesOf = onceFor(({ step, people, steps, context, today }: GuardInput) => ({
    ...(step !== null && { step: stepOf(step) }),
    people: new PeopleValue(people, hearing),
    plan: planOf(steps),
    context,
    today,
  }));
  return {
    environment,
    declared,
    aboutPerson: (name: string) => aboutPerson(name).parse("true"),
    facts,
    hearing,
    heldFrom,
  };

  function facts(input: GuardInput, questions: readonly AskPeople[], texts: ReadonlySet<string>) {
    hearing.unknown = null;
    heldFrom.clear();
    written = texts;
    ({ holds } = input);
    const variables = variablesOf(input);
    ask = (question) => {
      const one = questions[Number(question)];
      if (one === undefined) throw new Error("no such question");
      return one(variables, input);
    };
    return variables;
  }
}

const MOMENT = "google.protobuf.Timestamp";

function dayOf(text: string): Date {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  // JavaScript reads the 31st of June as the 1st of July.
  if (day === null || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text))
    throw new Error("not a day");
  return day;
}

/** Whether a field has a value, as each of the values that expressions meet says it. */
function hasField(of: unknown, name: string): boolean {
  if (of instanceof GuardMessage || of instanceof PeopleValue) return of.has(name);
  if (of instanceof PlanValue) return of.steps.length > 0;
  if (of instanceof Person) return isFilledIn(of, name);
  if (typeof of === "object" && of !== null) return Object.hasOwn(of, name);
  throw new Error("has() asks for a field of something that has none");
}
