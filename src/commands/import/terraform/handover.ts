import { groupBy } from "../../../model/groupBy.js";
import type { TerraformInstance, TerraformState } from "./state.js";

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
