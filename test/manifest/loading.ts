import { loadManifests } from "../../src/manifest/load.js";
import type { AppNames } from "../../src/manifest/references.js";
import type { Diagnostic } from "../../src/model/diagnostic.js";

/** Loads a text as if it came from standard input. */
export function load(text: string, apps: AppNames = {}) {
  const stdin = async () => new TextEncoder().encode(text);
  return loadManifests({ paths: ["-"], cwd: "/", stdin, apps });
}

/** Every finding of a text as `line:column code`; what has no place is its code alone. */
export async function told(text: string, apps?: AppNames): Promise<readonly string[]> {
  return (await load(text, apps)).diagnostics.map(line);
}

/** A finding as `line:column code`, or its code alone where it has no place. */
export function line({ span, code }: Diagnostic): string {
  return span === undefined ? code : `${span.start.line}:${span.start.column} ${code}`;
}

/** The characters of the text under a finding's caret. */
export function marked(text: string, { span }: Diagnostic): string {
  const row = text.split("\n")[(span?.start.line ?? 0) - 1] ?? "";
  const end = span?.end.line === span?.start.line ? span?.end.column : row.length + 1;
  return row.slice((span?.start.column ?? 1) - 1, (end ?? 1) - 1);
}

/** A resource type's manifest, with these lines in the place of its own where they are given. */
export function resourceType({ name = "team", appId = "app1", id = "type1", rest = "" } = {}): string {
  return `apiVersion: remit/v1
kind: ResourceType
metadata:
  name: ${name}
spec:
  appId: ${appId}
  id: ${id}
  displayName: Team
${rest}`;
}

/** A template scope's manifest with these lines under \`spec\`, as they are. */
export function templateScope(spec: string): string {
  return `apiVersion: remit/v1
kind: TemplateScope
metadata:
  name: q4
spec:
  templateId: t1
${spec}`;
}

/** A text as a file can hold it: halves of surrogate pairs are replaced. */
export function asUtf8(text: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}
