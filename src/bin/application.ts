import {
  type Application,
  buildApplication,
  buildCommand,
  buildRouteMap,
  type Command,
  type StricliIntegration,
} from "@stricli/core";
import type { Context } from "../cli/run/context.js";
import type { FlagsOf } from "../cli/settings/flags.js";
import { accept } from "../commands/accept/usage.js";
import { apply } from "../commands/apply/usage.js";
import { completion } from "../commands/completion/usage.js";
import { config } from "../commands/config/usage.js";
import { contexts } from "../commands/contexts/usage.js";
import { docs } from "../commands/docs/usage.js";
import { doctor } from "../commands/doctor/usage.js";
import { evidence } from "../commands/evidence/usage.js";
import { fmt } from "../commands/fmt/usage.js";
import { get } from "../commands/get/usage.js";
import { history } from "../commands/history/usage.js";
import { impact } from "../commands/impact/usage.js";
import { importCommand } from "../commands/import/usage.js";
import { init } from "../commands/init/usage.js";
import { plan } from "../commands/plan/usage.js";
import { render } from "../commands/render/usage.js";
import { approved } from "../commands/review/approved/usage.js";
import { comment } from "../commands/review/comment/usage.js";
import { sandbox } from "../commands/sandbox/usage.js";
import { schema } from "../commands/schema/usage.js";
import { show } from "../commands/show/usage.js";
import { state } from "../commands/state/usage.js";
import { test } from "../commands/test/usage.js";
import { validate } from "../commands/validate/usage.js";
import { version } from "../commands/version/usage.js";
import { phrasesFor } from "./phrases.js";

const routes = buildRouteMap({
  routes: {
    init: command(init, () => import("../commands/init/init.js")),
    import: command(importCommand, () => import("../commands/import/import.js")),
    get: command(get, () => import("../commands/get/get.js")),
    accept: command(accept, () => import("../commands/accept/accept.js")),
    validate: command(validate, () => import("../commands/validate/validate.js")),
    test: command(test, () => import("../commands/test/test.js")),
    fmt: command(fmt, () => import("../commands/fmt/fmt.js")),
    render: command(render, () => import("../commands/render/render.js")),
    plan: command(plan, () => import("../commands/plan/plan.js")),
    apply: command(apply, () => import("../commands/apply/apply.js")),
    comment: command(comment, () => import("../commands/review/comment/comment.js")),
    approved: command(approved, () => import("../commands/review/approved/approved.js")),
    history: command(history, () => import("../commands/history/history.js")),
    evidence: buildRouteMap({
      docs: evidence.docs,
      routes: { verify: command(evidence.routes.verify, () => import("../commands/evidence/verify.js")) },
    }),
    impact: command(impact, () => import("../commands/impact/impact.js")),
    show: command(show, () => import("../commands/show/show.js")),
    state: buildRouteMap({
      docs: state.docs,
      routes: {
        list: command(state.routes.list, async () => (await import("../commands/state/state.js")).list),
        stores: command(state.routes.stores, () => import("../commands/state/stores.js")),
        show: command(state.routes.show, async () => (await import("../commands/state/state.js")).show),
        forget: command(state.routes.forget, () => import("../commands/state/forget.js")),
        unlock: command(state.routes.unlock, async () => (await import("../commands/state/state.js")).unlock),
        settle: command(state.routes.settle, () => import("../commands/state/settle.js")),
        move: command(state.routes.move, async () => (await import("../commands/state/move.js")).move),
        rescue: command(state.routes.rescue, () => import("../commands/state/rescue.js")),
        compact: command(state.routes.compact, () => import("../commands/state/compact.js")),
        encrypt: command(
          state.routes.encrypt,
          async () => (await import("../commands/state/recode.js")).encrypt,
        ),
        decrypt: command(
          state.routes.decrypt,
          async () => (await import("../commands/state/recode.js")).decrypt,
        ),
      },
    }),
    config: command(config, () => import("../commands/config/config.js")),
    contexts: buildRouteMap({
      docs: contexts.docs,
      defaultCommand: "list",
      routes: {
        list: command(contexts.routes.list, () => import("../commands/contexts/contexts.js")),
        diff: command(contexts.routes.diff, () => import("../commands/contexts/diff/diff.js")),
      },
    }),
    doctor: command(doctor, () => import("../commands/doctor/doctor.js")),
    docs: command(docs, () => import("../commands/docs/docs.js")),
    schema: command(schema, () => import("../commands/schema/schema.js")),
    sandbox: command(sandbox, () => import("../commands/sandbox/sandbox.js")),
    completion: command(completion, () => import("../commands/completion/completion.js")),
    version: command(version, () => import("../commands/version/version.js")),
  },
  docs: { brief: "Keeps access-governance configuration in git" },
});

const help: StricliIntegration<Context> = {
  flag: {
    brief: "Print this help",
    aliases: ["h"],
    global: true,
    complete: true,
    defaultForRouteMap: true,
    async run(_, { result }) {
      const { helpPage } = await import("./help.js");
      this.process.stdout.write(helpPage(result.target, result.prefix));
    },
  },
};

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
) => number | Promise<number>;

/** Every command of `remit`; no message contains a secret of the environment. */
export function makeApplication(env: Readonly<Record<string, string | undefined>>): Application<Context> {
  return buildApplication<Context>(
    routes,
    {
      name: "remit",
      scanner: {
        caseStyle: "allow-kebab-for-camel",
        allowArgumentEscapeSequence: true,
        // The messages suggest one of these if it is similar enough for the length of the word.
        distanceOptions: {
          threshold: 5,
          weights: { insertion: 1, deletion: 1, substitution: 1, transposition: 1 },
        },
      },
      documentation: { caseStyle: "convert-camel-to-kebab", disableAnsiColor: true },
      localization: { text: phrasesFor(env) },
    },
    { help },
  );
}

/** The command of a usage; what runs it is loaded once it is asked for, and gives the exit code. */
function command<const U extends Usage>(
  usage: U,
  loader: () => Promise<{ readonly default: Run<U> } | Run<U>>,
): Command<Context> {
  const load = async () => {
    const loaded = await loader();
    const run = typeof loaded === "function" ? loaded : loaded.default;
    return async function (this: Context, ...given: Parameters<Run<U>>) {
      this.process.exitCode = await run.apply(this, given);
    };
  };
  // The library finds flags by the type of what runs them; here it is the other way about, so its own check cannot see it.
  return buildCommand({ ...usage, loader: load } as unknown as Parameters<
    typeof buildCommand<object, [], Context>
  >[0]);
}
