import {
  AliasNotFoundError,
  type ApplicationText,
  ArgumentParseError,
  ArgumentScannerError,
  EnumValidationError,
  FlagNotFoundError,
  text_en,
  UnexpectedFlagError,
  UnexpectedPositionalError,
  UnsatisfiedFlagError,
  UnsatisfiedPositionalError,
} from "@stricli/core";
import { choiceFlags, outputFlags } from "../cli/run/flags.js";
import { MistakeWithRescue } from "../cli/run/mistake.js";
import { tenantFlags } from "../cli/settings/flags.js";
import { Secret } from "../model/secret.js";
import { type Environment, mayBeSecret } from "../model/variables.js";
import { formatNotice } from "../report/diagnostics/brief.js";
import { tameLine } from "../report/text/visible.js";
import { didYouMean } from "../schema/didYouMean.js";
import { makeMask } from "../tenant/client/mask.js";
import { quote } from "../words/quote.js";
import { say } from "../words/say.js";

/** The messages for a wrong command line, and for a bug in remit. */
export function phrasesFor(env: Environment): ApplicationText {
  const mistake = (error: unknown) => ourMistake(error, env);
  return {
    ...text_en,
    noCommandRegisteredForInput: ({ input, corrections }) => unknownCommand(input, corrections),
    exceptionWhileParsingArguments: (error) =>
      error instanceof ArgumentScannerError ? wrongUsage(error) : mistake(error),
    exceptionWhileRunningCommand: mistake,
    exceptionWhileLoadingCommandFunction: mistake,
    exceptionWhileLoadingCommandContext: mistake,
    commandErrorResult: mistake,
  };
}

function unknownCommand(input: string, corrections: readonly string[]): string {
  if (ASKS_TO_DELETE.has(input)) return formatNotice(say("command/unknown#delete", { input }));
  if (ASKS_FOR_LOGIN.has(input)) return formatNotice(say("command/unknown#login", { input }));
  const ours = Object.hasOwn(OF_OTHERS, input) ? OF_OTHERS[input] : undefined;
  if (ours !== undefined) return formatNotice(say("command/unknown#other", { input, ours }));
  const isFlag = input.startsWith("-");
  const meant = didYouMean(
    input,
    isFlag ? commonFlags() : corrections.map((each) => each.replaceAll("`", "")),
  );
  const suggestion = meant === undefined ? "" : isFlag ? `${meant} Write it after a command. ` : `${meant} `;
  return formatNotice(
    say(isFlag ? "command/unknown#flag" : "command/unknown#command", { input, suggestion }),
  );
}

/** Commands of other tools, and the command of remit that does the same. */
const OF_OTHERS: Readonly<Record<string, string>> = {
  diff: "remit plan",
  preview: "remit plan",
  status: "remit plan",
  sync: "remit apply",
  deploy: "remit apply",
  up: "remit apply",
  rollback: "remit accept --restore",
  undo: "remit accept --restore",
  refresh: "remit plan --refresh-only",
  lint: "remit validate",
  check: "remit validate",
  format: "remit fmt",
  whoami: "remit doctor",
  export: "remit import",
  dump: "remit import",
  new: "remit init",
  list: "remit get",
  describe: "remit get",
  users: "remit get users",
  apps: "remit get apps",
  log: "remit history",
  graph: "remit show --graph",
  unlock: "remit state unlock",
};
const ASKS_TO_DELETE: ReadonlySet<string> = new Set(["destroy", "delete", "prune"]);
const ASKS_FOR_LOGIN: ReadonlySet<string> = new Set(["login", "logout", "auth"]);

function wrongUsage(error: ArgumentScannerError): string {
  const key = isUnknownFlag(error) ? "command/unknown-flag" : "command/usage#wrong";
  return formatNotice(say(key, { what: whatIsWrong(error), meant: meant(error) }));
}

function isUnknownFlag(error: ArgumentScannerError): error is FlagNotFoundError | AliasNotFoundError {
  return error instanceof FlagNotFoundError || error instanceof AliasNotFoundError;
}

function whatIsWrong(error: ArgumentScannerError): string {
  if (error instanceof FlagNotFoundError) return `unknown flag --${error.input}`;
  if (error instanceof AliasNotFoundError) return `unknown flag -${error.input}`;
  if (error instanceof EnumValidationError)
    return `--${error.externalFlagName} cannot be ${error.input}: it is one of ${error.values.join(", ")}`;
  if (error instanceof ArgumentParseError) {
    const why = error.exception instanceof Error ? error.exception.message : String(error.exception);
    return `${error.externalFlagNameOrPlaceholder} cannot be ${error.input}: ${why}`;
  }
  if (error instanceof UnsatisfiedFlagError) return `--${error.externalFlagName} needs a value`;
  if (error instanceof UnexpectedFlagError) return `--${error.externalFlagName} is given more than once`;
  if (error instanceof UnsatisfiedPositionalError) return `${error.placeholder.toUpperCase()} is missing`;
  if (error instanceof UnexpectedPositionalError) return `${error.input} is one argument too many`;
  return error.message;
}

function meant(error: ArgumentScannerError): string {
  const suggestion =
    error instanceof FlagNotFoundError
      ? didYouMean(`--${error.input}`, error.corrections.map(dashed))
      : error instanceof EnumValidationError
        ? didYouMean(error.input, error.values)
        : undefined;
  return suggestion === undefined ? "" : `${suggestion} `;
}

function dashed(flag: string): string {
  return `--${flag}`;
}

/** The flags that many commands take. */
function commonFlags(): readonly string[] {
  const names = [...Object.keys(tenantFlags), ...Object.keys(choiceFlags), ...Object.keys(outputFlags)];
  return names.map((name) => dashed(name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)));
}

/** The message for a bug: mistakes of authors and operators are diagnostics and never come here. */
function ourMistake(error: unknown, env: Environment): string {
  if (error instanceof MistakeWithRescue) return `${ourMistake(error.cause, env)}\n${error.file}`;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const [told = "", ...frames] = makeMask(secretsOf(env)).cover(stack).split("\n");
  const finding = quote("internal", "error", `remit made a mistake: ${told}`, {
    hint: "Neither the manifests nor the tenant are to blame. Please report it, with these lines.",
  });
  return [formatNotice(finding), ...frames.map(tameLine)].join("\n");
}

/** The values of an environment that may be secrets, found by their names; of a proxy, the part before its host. */
function secretsOf(env: Environment): readonly Secret[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    const entrance = PROXY.test(name) ? ENTRANCE.exec(value)?.[1] : undefined;
    if (entrance !== undefined) return [new Secret(entrance)];
    return mayBeSecret(name) ? [new Secret(value.trim())] : [];
  });
}

const PROXY = /PROXY/i;
const ENTRANCE = /^\s*(?:\w+:\/\/)?(.+)@/s;
