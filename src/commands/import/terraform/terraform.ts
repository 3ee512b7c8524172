import { readNamedFile } from "../../../cli/world/namedFile.js";
import type { World } from "../../../cli/world/world.js";
import { kinds } from "../../../kinds/index.js";
import type { Checked } from "../../../model/diagnostic.js";
import { groupBy } from "../../../model/groupBy.js";
import type { Key } from "../../../model/key.js";
import { tameLine } from "../../../report/text/visible.js";
import { say } from "../../../words/say.js";
import type { Imported } from "../objects.js";
import { readTerraformState, type TerraformInstance, type TerraformState } from "./state.js";

/** Reads the Terraform state that the command line names; null where it names none, or one that cannot be read. */
export async function terraformFrom(
  world: World,
  file: string | undefined,
): Promise<Checked<TerraformState | null>> {
  if (file === undefined) return { value: null, diagnostics: [] };
  const read = await readNamedFile(world, file);
  const shown = file === "-" ? "standard input" : file;
  if (read.text !== null) return readTerraformState(read.text, kinds, shown);
  return {
    value: null,
    diagnostics: [say("terraform/unreadable#terraformFrom", { shown, why: read.why })],
  };
}

/** What makes Terraform stop managing everything of a state that a manifest now describes. */
export function handoverAfter(state: TerraformState, { manifests, leftOut }: Imported): Handover {
  const described = leftOut.filter(({ because }) => because === "described");
  const managed = new Set([...manifests, ...described].map(terraformPlaceOf));
  return handoverOf(state, (instance) => managed.has(placeOf(instance)));
}

/** What an object of a state is called in a sentence: its address. */
export function addressIn({ instances }: TerraformState): (object: Placed) => string {
  const addresses = new Map(instances.map((instance) => [placeOf(instance), instance.address]));
  return (object) => addresses.get(terraformPlaceOf(object)) ?? object.key.join("/");
}

interface Placed {
  readonly kind: string;
  readonly key: Key;
}

/** The place of an object by the parts of its key that Terraform has. */
function terraformPlaceOf({ kind, key }: Placed): string {
  const known = kinds.find(({ name }) => name === kind)?.terraform?.key.length ?? key.length;
  return placeOf({ kind, key: key.slice(-known) });
}

function placeOf({ kind, key }: Placed): string {
  return `${kind} ${key.join("/")}`;
}

/** What of a Terraform state was not taken, and how to end what Terraform still manages. */
export function terraformLines(
  { skipped, others }: TerraformState,
  { blocks, commands }: Handover,
): readonly string[] {
  const rest = `  ${others} ${others === 1 ? "resource of a type" : "resources of types"} that remit does not manage`;
  const left = [
    ...skipped.map(({ address, why }) => tameLine(`  ${address === "" ? "a resource" : address}: ${why}`)),
    ...(others === 0 ? [] : [rest]),
  ];
  return [
    ...(left.length === 0 ? [] : ["Not taken from the Terraform state:", ...left]),
    ...(blocks.length === 0
      ? []
      : [
          "",
          "To make Terraform stop managing these objects without destroying them, delete their `resource` blocks and add, in the same change:",
          "",
          ...blocks.join("\n").trimEnd().split("\n"),
        ]),
    ...(commands.length === 0
      ? []
      : [
          "",
          "Of these resources, other instances are not imported. Before the next `terraform apply`, take the imported ones out of the configuration, and run:",
          "",
          ...commands,
        ]),
  ];
}

/** What makes Terraform stop managing objects that remit manages, without destroying them. */
export interface Handover {
  /** A block of configuration for each resource of which remit took over every instance. */
  readonly blocks: readonly string[];
  /** A command for each instance of the other resources that remit took over. */
  readonly commands: readonly string[];
}

/** What to add to the configuration of Terraform, and what to run, once remit manages the instances that fit. */
export function handoverOf(
  { instances, skipped }: TerraformState,
  isManaged: (instance: TerraformInstance) => boolean,
): Handover {
  const resources = groupBy(instances, ({ resource }) => resource);
  const incomplete = new Set(skipped.map(({ resource }) => resource));
  const blocks: string[] = [];
  const commands: string[] = [];
  for (const [resource, all] of resources) {
    // A block has no keys: it takes every instance of the resource out of the state.
    if (!incomplete.has(resource) && all.every(isManaged)) blocks.push(removed(resource));
    else
      for (const { address } of all.filter(isManaged)) commands.push(`terraform state rm ${quoted(address)}`);
  }
  return { blocks, commands };
}

function removed(resource: string): string {
  return `removed {\n  from = ${resource}\n  lifecycle {\n    destroy = false\n  }\n}\n`;
}

/** A text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
