import { type Application, buildApplication, buildRouteMap, type StricliIntegration } from "@stricli/core";
import type { Context } from "./context.js";
import { phrasesFor } from "./phrases.js";
import { apply } from "./usage/apply.js";
import { completion } from "./usage/completion.js";
import { config } from "./usage/config.js";
import { fmt } from "./usage/fmt.js";
import { init } from "./usage/init.js";
import { plan } from "./usage/plan.js";
import { sandbox } from "./usage/sandbox.js";
import { schema } from "./usage/schema.js";
import { show } from "./usage/show.js";
import { state } from "./usage/state.js";
import { validate } from "./usage/validate.js";
import { version } from "./usage/version.js";

const routes = buildRouteMap({
  routes: { init, validate, fmt, plan, apply, show, state, config, schema, sandbox, completion, version },
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

/** Every command of `remit`, speaking without the secrets of its environment. */
export function makeApplication(env: Readonly<Record<string, string | undefined>>): Application<Context> {
  return buildApplication<Context>(
    routes,
    {
      name: "remit",
      scanner: {
        caseStyle: "allow-kebab-for-camel",
        allowArgumentEscapeSequence: true,
        // A suggestion is for a slip of the finger, not for another word.
        distanceOptions: {
          threshold: 2,
          weights: { insertion: 1, deletion: 1, substitution: 1, transposition: 1 },
        },
      },
      documentation: { caseStyle: "convert-camel-to-kebab", disableAnsiColor: true },
      localization: { text: phrasesFor(env) },
    },
    { help },
  );
}
