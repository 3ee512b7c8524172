import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { nodesIn, nodesOf } from "../../manifest/cel.js";
import { UNITS } from "./calendar.js";
import { showsTimeOfDay } from "./layout.js";

/**
 * `now()` is a whole day, so that a plan is the same all day. A rule is asked with the first and with the last moment of it,
 * for each place that asks. What all of these answer holds at every moment between: a moment may only be compared, or give
 * parts of a date.
 */
const MOMENTS = ["remit_dayStart", "remit_dayEnd"] as const;

const DAY = 86_400_000;

/** More places than this are too many ways to ask. */
const MOST_PLACES = 4;

/** Registers `now()`, and the two moments that stand for it. */
export function registerDay(language: Environment, start: Date): void {
  const moment = "google.protobuf.Timestamp";
  const end = new Date(start.getTime() + DAY - 1);
  language.registerFunction(`now(): ${moment}`, () => start);
  language.registerFunction(`${MOMENTS[0]}(): ${moment}`, () => start);
  language.registerFunction(`${MOMENTS[1]}(): ${moment}`, () => end);
}

/** In how many places an expression asks for the moment, or why it cannot be asked about a day. */
export type AskedMoments = { readonly places: number } | { readonly problem: string };

/** Looks for the places where an expression asks for the moment. */
export function momentsIn(node: ASTNode): AskedMoments {
  const places = placesIn(node).length;
  if (places === 0) return { places };
  if (places > MOST_PLACES) return { problem: `now() in ${places} places` };
  const course = coursesOf(abovePlaces(node))(node);
  if (course.as === "constant") return { places };
  return { problem: course.as === "open" ? course.by : "now()" };
}

/** Lets an expression that was just parsed ask, at each place, for the start of the day, or for its end where the bit is set. */
export function giveMoments(node: ASTNode, ends: number): boolean {
  const places = placesIn(node);
  for (const [place, { args }] of places.entries()) {
    // The tree belongs to this expression alone, and the library has not looked at it yet.
    (args as unknown[])[0] = MOMENTS[(ends >> place) & 1];
  }
  return places.length > 0;
}

function isPlace(node: ASTNode): boolean {
  return node.op === "call" && node.args[0] === "now" && node.args[1].length === 0;
}

function placesIn(node: ASTNode): readonly ASTNode[] {
  return nodesOf(node).filter(isPlace);
}

/** The nodes with a place in them, and the places. */
function abovePlaces(ast: ASTNode): ReadonlySet<ASTNode> {
  const above = new Set<ASTNode>();
  // Each node stands before those below it.
  for (const node of [...nodesOf(ast)].reverse()) {
    if (isPlace(node) || nodesIn(node.args).some((inner) => above.has(inner))) above.add(node);
  }
  return above;
}

/**
 * How a value runs in the course of a day. `constant`: at every moment it is what it is for some choice of start and end at
 * its places. `running`: it only rises, or only falls, with each place. `open`: neither is known; `by` names the part.
 */
type Course = { readonly as: "constant" | "running" } | { readonly as: "open"; readonly by: string };

const CONSTANT: Course = { as: "constant" };
const RUNNING: Course = { as: "running" };

function open(by: string): Course {
  return { as: "open", by };
}

/** Parts of a date, which change once in the course of a day at most. */
const DATE_PARTS: ReadonlySet<string> = new Set(
  "getFullYear getMonth getDate getDayOfMonth getDayOfWeek getDayOfYear".split(" "),
);

/** Functions of `time` whose result rises with the moment. */
const RISING: ReadonlySet<string> = new Set(["truncate", "start_of", "end_of", "unix"]);

/** Macros ask once for each of several elements, which may differ at different moments. */
const MACROS: ReadonlySet<string> = new Set(
  "all exists exists_one map filter bind optMap optFlatMap".split(" "),
);

/** The courses of the parts of an expression; `above` are the parts with a place in them. */
function coursesOf(above: ReadonlySet<ASTNode>): (node: ASTNode) => Course {
  function courseOf(node: ASTNode): Course {
    if (!above.has(node)) return CONSTANT;
    switch (node.op) {
      case "<":
      case "<=":
      case ">":
      case ">=":
        return compared(worst(node.args));
      case "+":
      case "-":
        return worst(node.args);
      case "-_":
        return courseOf(node.args);
      case "?:": {
        const [test, ...values] = node.args;
        return worst(values, [test]);
      }
      case "call":
        return ofFunction(node.args[0], node.args[1]);
      case "rcall":
        return ofMethod(node);
      default:
        return worst([], nodesIn(node.args));
    }
  }

  function ofFunction(name: string, values: readonly ASTNode[]): Course {
    if (name === "now") return RUNNING;
    return name === "int" ? worst(values) : worst([], values, name);
  }

  function ofMethod(node: Extract<ASTNode, { readonly op: "rcall" }>): Course {
    const [name, receiver, values] = node.args;
    if (MACROS.has(name) && values.some((value) => above.has(value))) return open("now()");
    if (DATE_PARTS.has(name)) return compared(worst([receiver], values, name));
    const isTime = receiver.op === "id" && receiver.args === "time";
    if (!isTime) return worst([], [receiver, ...values], name);
    const [moment, rest] = [values.slice(0, 1), values.slice(1)];
    const texts = rest.flatMap(textsIn);
    if (RISING.has(name)) {
      const course = worst(moment, rest, `time.${name}`);
      return texts.some((unit) => UNITS[unit]?.isWithinDay === false) ? compared(course) : course;
    }
    if (name === "try_parse") return worst(values.slice(2), values.slice(0, 2), "time.try_parse");
    const isDate = name === "format" && texts.length > 0 && !texts.some(showsTimeOfDay);
    return isDate ? compared(worst(moment, rest, "time.format")) : worst([], values, `time.${name}`);
  }

  /** The course of parts that only have to run, and of others that have to be constant. */
  function worst(running: readonly ASTNode[], constant: readonly ASTNode[] = [], by = "now()"): Course {
    const [courses, others] = [running.map(courseOf), constant.map(courseOf)];
    const found = [...courses, ...others].find(({ as }) => as === "open");
    if (found !== undefined) return found;
    if (others.some(({ as }) => as === "running")) return open(by);
    return courses.some(({ as }) => as === "running") ? RUNNING : CONSTANT;
  }

  return courseOf;
}

/** The course of what changes once in the day at most, as a value rises or falls. */
function compared(course: Course): Course {
  return course.as === "open" ? course : CONSTANT;
}

/** The text that a part is: written as a literal, or as a name of `TimeFormat`. */
function textsIn(node: ASTNode): readonly string[] {
  if (node.op === "value" && typeof node.args === "string") return [node.args];
  const isFormat = node.op === "." && node.args[0].op === "id" && node.args[0].args === "TimeFormat";
  return isFormat ? [String(node.args[1]).toLowerCase()] : [];
}
