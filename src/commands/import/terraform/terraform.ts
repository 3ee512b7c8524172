import { readNamedFile } from "../../../cli/world/namedFile.js";
import type { World } from "../../../cli/world/world.js";
import { kinds } from "../../../kinds/index.js";
import type { Checked } from "../../../model/diagnostic.js";
import type { Key } from "../../../model/key.js";
import { tameLine } from "../../../report/text/visible.js";
import { say } from "../../../words/say.js";
import type { Imported } from "../objects.js";
import { type Handover, handoverOf } from "./handover.js";
import { readTerraformState, type TerraformState } from "./state.js";

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
