import { buildCommand, type Command } from "@stricli/core";
import type { Context } from "../cli/run/context.js";
import type { FlagsOf } from "../cli/settings/flag.js";

/** A command as data: what its help says, its flags, and what else its line takes. */
interface Usage {
  readonly docs: { readonly brief: string; readonly fullDescription?: string };
  readonly parameters: {
    readonly flags?: Readonly<Record<string, unknown>>;
    readonly aliases?: Readonly<Record<string, string>>;
    readonly positional?: Positional;
  };
}

type Positional =
  | { readonly kind: "array"; readonly parameter: Argument }
  | { readonly kind: "tuple"; readonly parameters: readonly Argument[] };

interface Argument {
  readonly brief: string;
  readonly parse: (text: string) => unknown;
  readonly optional?: boolean;
}

type ArgumentsOf<P> = P extends { readonly kind: "array" }
  ? string[]
  : P extends { readonly parameters: infer A extends readonly Argument[] }
    ? { -readonly [I in keyof A]: ReturnType<A[I]["parse"]> | OrNone<A[I]> }
    : [];
type OrNone<A> = A extends { readonly optional: true } ? undefined : never;

type Run<U extends Usage> = (
  this: Context,
  flags: FlagsOf<U["parameters"]["flags"]>,
  ...rest: ArgumentsOf<U["parameters"]["positional"]>
) => void | Promise<void>;

/** The command of a usage; what runs it is loaded once it is asked for. */
export function command<const U extends Usage>(
  usage: U,
  loader: () => Promise<{ readonly default: Run<U> } | Run<U>>,
): Command<Context> {
  // The library finds flags by the type of what runs them; here it is the other way about, so its own check cannot see it.
  return buildCommand({ ...usage, loader } as unknown as Parameters<
    typeof buildCommand<object, [], Context>
  >[0]);
}
