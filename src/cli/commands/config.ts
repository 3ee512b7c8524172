import { credentialsFrom } from "../../api/credentials.js";
import { hasErrors } from "../../model/diagnostic.js";
import type { Json } from "../../model/json.js";
import type { Context } from "../context.js";
import { exit } from "../exit.js";
import { tellFindings } from "../findings.js";
import { openProject } from "../project.js";
import type { Setting, SettingFlags } from "../settings.js";

/** The flags of `remit config`. */
export interface ConfigFlags extends SettingFlags {
  readonly format: "text" | "json";
}

/** Prints every setting with where it came from; of credentials only the variables that name them. */
export default async function config(this: Context, flags: ConfigFlags): Promise<void> {
  const { world } = this;
  const project = await openProject(world, flags);
  if (project.diagnostics.length > 0) tellFindings(world, world.stderr, project.diagnostics);
  const settings: readonly (readonly [string, Setting<unknown>])[] = Object.entries(project.value.settings);
  const server = project.value.settings.server.value;
  const from = server === "sandbox" ? "the sandbox" : credentialSource(world.env, server);
  const rows = [
    ...settings.map(([name, { value, from }]) => ({ name, value: value as Json, from })),
    { name: "credentials", value: from === null ? null : "(secret)", from: from ?? "none found" },
  ];
  if (flags.format === "json") {
    const entries = rows.map(({ name, value, from }) => [name, { value, from }]);
    world.stdout.write(`${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
  } else {
    const shown = rows.map(({ name, value, from }) => ({ name, value: show(value), from }));
    const [names, values] = [widest(shown.map(({ name }) => name)), widest(shown.map(({ value }) => value))];
    for (const { name, value, from } of shown)
      world.stdout.write(`${name.padEnd(names)}  ${value.padEnd(Math.min(values, 40))}  ${from}\n`);
  }
  if (hasErrors(project.diagnostics)) this.process.exitCode = exit.invalid;
}

function credentialSource(
  env: Readonly<Record<string, string | undefined>>,
  server: string | null,
): string | null {
  const { value } = credentialsFrom(env, server ?? "https://none.invalid");
  return value === null ? null : value.from.join(", ");
}

function show(value: Json): string {
  if (value === null) return "not set";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => text.length));
}
