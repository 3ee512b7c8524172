import { namesPeople } from "../../cli/print/namesPeople.js";
import type { Run } from "../../cli/run/run.js";
import type { World } from "../../cli/world/world.js";
import type { Counting, NamedPerson, PlanImpact } from "../../plan/people/impact.js";
import type { Request } from "../../plan/request.js";
import { renderBars } from "../../report/forms/bars.js";
import type { ShownPerson } from "../../report/plan/words/why.js";
import { plain } from "../../report/text/paint.js";
import { jsonText } from "../../report/text/safeJson.js";
import { tameLine } from "../../report/text/visible.js";
import { barsOf } from "../../report/view/bars.js";
import type { Client } from "../../tenant/client/client.js";
import type { ImpactFlags } from "./usage.js";

/** What every question of the command is asked with. */
export interface Asking {
  readonly run: Run;
  readonly flags: ImpactFlags;
  readonly request: Request;
  readonly client: Client;
  readonly counting: Counting;
}

/** Whether the output may name people that the command line does not name. */
export function mayName({ run: { world, project }, flags }: Pick<Asking, "run" | "flags">): boolean {
  const names = namesPeople(world, flags, project);
  return names === "everywhere" || (names === "on the terminal" && flags.format === "text");
}

/** A person as the output may show them: only what the command line said, where it may name no one. */
export function nameable(asking: Asking, person: NamedPerson, email: string): ShownPerson {
  return mayName(asking) ? person : { id: person.id, email };
}

/** Who gains and who loses by all that was asked for, as bars; nothing where they are too few. */
export function barsBelow(impact: PlanImpact | null): readonly string[] {
  const lines = renderBars(barsOf(impact?.spread ?? []), { columns: Number.POSITIVE_INFINITY, paint: plain });
  return lines.length === 0 ? [] : ["", ...lines];
}

/** Prints one JSON value. */
export function print(world: World, value: unknown): void {
  world.stdout.write(jsonText(value));
}

/** Prints lines that may show what the tenant says. */
export function write(world: World, lines: readonly string[]): void {
  world.stdout.write(lines.map((line) => `${tameLine(line)}\n`).join(""));
}
