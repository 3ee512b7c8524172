import { Environment } from "@marcbachmann/cel-js";
import { onceFor } from "../model/onceFor.js";
import { CEL_LIMITS } from "./cel.js";
import { ENUMS, TIME_FORMATS } from "./declared.js";
import { ENVIRONMENTS, type EnvironmentName, MESSAGES, SIGNATURES, TEXT_METHODS } from "./environments.js";

/** The name under which an expression asks for a field that has to exist: the library's own `has` checks nothing. */
export const HAS = "remit_known";

/** What a function does, by its path and its name; null where nothing here does it. */
type HandlerOf = (path: string, name: string) => ((...values: never[]) => unknown) | null;

// The library knows no dotted function names: each level is a constant of a type of its own.
class Level {
  readonly [name: string]: Level;
}

/** Lets a language know the functions of the service that have a handler, such as `c1.user.v1.HasApp`. */
export function declareFunctions(language: Environment, handlerOf: HandlerOf): void {
  const roots = new Set(Object.keys(SIGNATURES).map((path) => path.split(".")[0] ?? ""));
  for (const root of roots) {
    if (root === "") declareIn(language, "", handlerOf);
    else language.registerConstant(root, typeNamed(root), levelOf(language, root, handlerOf));
  }
}

function levelOf(language: Environment, path: string, handlerOf: HandlerOf): Level {
  const type = class extends Level {};
  const below = Object.keys(SIGNATURES).flatMap((one) =>
    one.startsWith(`${path}.`) ? [one.slice(path.length + 1).split(".")[0] ?? ""] : [],
  );
  const made = new type() as Record<string, Level>;
  for (const name of new Set(below)) made[name] = levelOf(language, `${path}.${name}`, handlerOf);
  const fields = Object.fromEntries(Object.keys(made).map((name) => [name, typeNamed(`${path}.${name}`)]));
  language.registerType(typeNamed(path), { ctor: type, fields });
  declareIn(language, path, handlerOf);
  return made as unknown as Level;
}

function declareIn(language: Environment, path: string, handlerOf: HandlerOf): void {
  for (const signature of SIGNATURES[path] ?? []) {
    const handler = handlerOf(path, signature.slice(0, signature.indexOf("(")));
    if (handler === null) continue;
    if (path === "") language.registerFunction(signature, handler);
    else
      language.registerFunction(`${typeNamed(path)}.${signature}`, (_level: unknown, ...values: never[]) =>
        handler(...values),
      );
  }
}

function typeNamed(path: string): string {
  return `${path.replaceAll(".", "")}Functions`;
}

const NOTHING = () => null;

/** A language that checks the types of an environment. It evaluates nothing. */
export const typedLanguage = onceFor((name: EnvironmentName): Environment => {
  const language = new Environment({
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    unlistedVariablesAreDyn: true,
    limits: CEL_LIMITS,
  });
  for (const type of Object.keys(ENUMS)) language.registerType(type, { fields: {} });
  for (const [type, members] of Object.entries(MESSAGES))
    language.registerType(type, { fields: typesOf(members) });
  for (const [type, { prefix, values }] of Object.entries(ENUMS)) {
    language.registerVariable(type, `map<string, ${type}>`);
    for (const value of values) language.registerVariable(`${prefix}_${value}`, type);
  }
  language.registerConstant("TimeFormat", "map<string, string>", TIME_FORMATS);
  for (const [variable, type] of Object.entries(typesOf(ENVIRONMENTS[name].knows)))
    if (!language.hasVariable(variable)) language.registerVariable(variable, type);
  declareFunctions(language, () => NOTHING);
  for (const method of TEXT_METHODS) language.registerFunction(`string.${method}`, NOTHING);
  language.registerFunction(`${HAS}(dyn): bool`, NOTHING);
  return language;
});

/** The types of some members, as the library declares them. */
export function typesOf(
  members: Readonly<Record<string, { readonly type: string }>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(members).map(([name, { type }]) => [name, type]));
}
