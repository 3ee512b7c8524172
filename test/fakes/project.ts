import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json, JsonObject } from "../../src/model/json.js";
import type { Snapshot } from "../../src/state/snapshot.js";

/** What a manifest says, with the names that tests ask for. */
export interface Spec extends JsonObject {
  readonly appId?: Json;
  readonly appEntitlementId?: Json;
  readonly templateId?: Json;
  readonly id?: Json;
  readonly displayName?: Json;
}

/** A manifest as a test writes it. */
export interface Manifest {
  readonly kind: string;
  readonly name: string;
  readonly spec: Spec;
  readonly annotations?: JsonObject;
  readonly labels?: JsonObject;
}

/** A folder on the disk with manifests, and what is remembered beside them. */
export interface Project {
  readonly cwd: string;
  /** Replaces all manifests. */
  write(manifests: readonly Manifest[]): void;
  /** The state file as it is; null when there is none. */
  state(): Snapshot | null;
  /** What lies in the state's folder, without the file that keeps it out of git. */
  kept(): readonly string[];
  hasJournal(): boolean;
  close(): void;
}

/** Makes a project in a new folder; `settings` is what its `remit.yaml` says. */
export function makeProject(settings: JsonObject): Project {
  const cwd = mkdtempSync(join(tmpdir(), "remit-project-"));
  const folder = join(cwd, ".remit");
  const state = join(folder, "state.json");
  mkdirSync(join(cwd, "manifests"));
  writeFileSync(join(cwd, "remit.yaml"), JSON.stringify({ manifests: ["manifests"], ...settings }));
  return {
    cwd,
    write: (manifests) =>
      writeFileSync(join(cwd, "manifests", "all.yaml"), manifests.map(documentOf).join("---\n")),
    state: () => (existsSync(state) ? (JSON.parse(readFileSync(state, "utf8")) as Snapshot) : null),
    kept: () =>
      (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name !== ".gitignore").sort(),
    hasJournal: () => existsSync(`${state}.journal`),
    close: () => rmSync(cwd, { recursive: true, force: true }),
  };
}

/** A manifest as one line of YAML; JSON is YAML. */
function documentOf({ kind, name, spec, annotations, labels }: Manifest): string {
  const metadata = {
    name,
    ...(annotations === undefined ? {} : { annotations }),
    ...(labels === undefined ? {} : { labels }),
  };
  return `${JSON.stringify({ apiVersion: "remit/v1", kind, metadata, spec })}\n`;
}
