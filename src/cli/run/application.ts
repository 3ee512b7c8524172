import { type Application, buildApplication, buildRouteMap, type StricliIntegration } from "@stricli/core";
import { accept } from "../commands/accept/usage.js";
import { apply } from "../commands/apply/usage.js";
import { approved } from "../commands/approved/usage.js";
import { comment } from "../commands/comment/usage.js";
import { completion } from "../commands/completion/usage.js";
import { config } from "../commands/config/usage.js";
import { contexts } from "../commands/contexts/usage.js";
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
import { sandbox } from "../commands/sandbox/usage.js";
import { schema } from "../commands/schema/usage.js";
import { show } from "../commands/show/usage.js";
import { state } from "../commands/state/usage.js";
import { test } from "../commands/test/usage.js";
import { validate } from "../commands/validate/usage.js";
import { version } from "../commands/version/usage.js";
import type { Context } from "./context.js";
import { phrasesFor } from "./phrases.js";

const routes = buildRouteMap({
  routes: {
    init,
    import: importCommand,
    get,
    accept,
    validate,
    test,
    fmt,
    render,
    plan,
    apply,
    comment,
    approved,
    history,
    evidence,
    impact,
    show,
    state,
    config,
    contexts,
    doctor,
    schema,
    sandbox,
    completion,
    version,
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
