import { buildApplication, buildRouteMap, run } from "@stricli/core";
import { exit } from "./exit.js";
import { phrases } from "./phrases.js";
import { apply } from "./usage/apply.js";
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
import { WELCOME } from "./welcome.js";
import type { World } from "./world.js";

const routes = buildRouteMap({
  routes: { init, validate, fmt, plan, apply, show, state, config, schema, sandbox, version },
  docs: { brief: "Access-governance configuration as code" },
});

const application = buildApplication(routes, {
  name: "remit",
  scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
  documentation: { caseStyle: "convert-camel-to-kebab", disableAnsiColor: true },
  localization: { text: phrases },
});

/** Runs one command line in a world and gives its exit code. */
export async function main(argv: readonly string[], world: World): Promise<number> {
  if (argv.length === 0) {
    world.stdout.write(WELCOME);
    return exit.done;
  }
  const streams: { stdout: World["stdout"]; stderr: World["stderr"]; exitCode?: number | string | null } = {
    stdout: world.stdout,
    stderr: world.stderr,
  };
  await run(application, argv, { process: streams, world });
  return exitCode(streams.exitCode);
}

// The command-line library marks its own faults (an unknown command or flag) with negative codes.
function exitCode(code: number | string | null | undefined): number {
  const number = Number(code ?? exit.done);
  return number < 0 ? exit.error : number;
}
