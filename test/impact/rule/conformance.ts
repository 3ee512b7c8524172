import { tests } from "@bufbuild/cel-spec/testdata/conformance.js";

/** A case of the conformance data of CEL: an expression, and what it has to be. */
export interface Case {
  readonly name: string;
  /** A boolean expression: the case's own, or its comparison with the value that it has to have. */
  readonly expression: string;
  /** Null for an expression that has to fail. */
  readonly is: boolean | null;
}

/** One value of the data, in the JSON of its messages. */
interface Value {
  readonly boolValue?: boolean;
  readonly int64Value?: string;
  readonly uint64Value?: string;
  readonly doubleValue?: number | string;
  readonly stringValue?: string;
  readonly bytesValue?: string;
  readonly nullValue?: null;
  readonly typeValue?: string;
  readonly listValue?: { readonly values?: readonly Value[] };
  readonly mapValue?: { readonly entries?: readonly { readonly key: Value; readonly value: Value }[] };
}

interface Original {
  readonly name?: string;
  readonly expr: string;
  readonly value?: Value;
  readonly evalError?: unknown;
  readonly anyEvalErrors?: unknown;
  readonly typedResult?: { readonly result?: Value };
  readonly unknown?: unknown;
  readonly bindings?: unknown;
}

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: unknown }[];
}

/** The cases that are about values a rule can have: no messages of protobuf, and no variables of the case. */
export function conformanceCases(): readonly Case[] {
  return casesOf(tests, "");
}

function casesOf(suite: Suite, path: string): readonly Case[] {
  const own = (suite.tests ?? []).flatMap(({ original }) => caseOf(original as Original, path));
  const inner = (suite.suites ?? []).flatMap((one) => casesOf(one, `${path}${one.name}/`));
  return [...own, ...inner];
}

function caseOf({ name = "", expr, bindings, ...result }: Original, path: string): readonly Case[] {
  const at = { name: `${path}${name}` };
  if (bindings !== undefined || result.unknown !== undefined) return [];
  if (result.evalError !== undefined || result.anyEvalErrors !== undefined)
    return [{ ...at, expression: `dyn(${expr}) == dyn(${expr})`, is: null }];
  // Without a value, a case has to be true.
  const value = result.value ?? result.typedResult?.result ?? { boolValue: true };
  if (value.boolValue !== undefined) return [{ ...at, expression: expr, is: value.boolValue }];
  const literal = literalOf(value);
  return literal === null ? [] : [{ ...at, expression: `(${expr}) == ${literal}`, is: true }];
}

/** A value as CEL writes it; null for a message, and for what has no literal. */
function literalOf(value: Value): string | null {
  if (value.boolValue !== undefined) return String(value.boolValue);
  if (value.int64Value !== undefined) return value.int64Value;
  if (value.uint64Value !== undefined) return `${value.uint64Value}u`;
  if (typeof value.doubleValue === "number") return doubleOf(value.doubleValue);
  if (value.doubleValue !== undefined) return null;
  if (value.stringValue !== undefined) return textOf(value.stringValue);
  if (value.nullValue !== undefined) return "null";
  if (value.bytesValue !== undefined) return bytesOf(value.bytesValue);
  if (value.listValue !== undefined) return joined("[]", (value.listValue.values ?? []).map(literalOf));
  if (value.mapValue === undefined) return null;
  const entries = value.mapValue.entries ?? [];
  return joined(
    "{}",
    entries.map((entry) => {
      const [key, held] = [literalOf(entry.key), literalOf(entry.value)];
      return key === null || held === null ? null : `${key}: ${held}`;
    }),
  );
}

function joined([open, close]: string, parts: readonly (string | null)[]): string | null {
  return parts.includes(null) ? null : `${open}${parts.join(", ")}${close}`;
}

function doubleOf(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text.replace(/^(-?\d+)e/, "$1.0e") : `${text}.0`;
}

function textOf(text: string): string {
  const signs = [...text].map((sign) => {
    const code = sign.codePointAt(0) ?? 0;
    return /[\w .:-]/.test(sign) ? sign : `\\U${code.toString(16).padStart(8, "0")}`;
  });
  return `"${signs.join("")}"`;
}

function bytesOf(base64: string): string {
  const hex = Buffer.from(base64, "base64").toString("hex");
  return `b"${hex.replace(/../g, "\\x$&")}"`;
}
