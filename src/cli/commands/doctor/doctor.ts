import { hasErrors } from "../../../model/diagnostic.js";
import { wrap } from "../../../report/text/layout.js";
import { safeJson } from "../../../report/text/safeJson.js";
import { tameLine } from "../../../report/text/tame.js";
import {
  type Examination,
  type ExaminedFeature,
  type ExaminedRead,
  examine,
} from "../../../session/doctor/examine.js";
import { codeOf } from "../../exitCode.js";
import { connect } from "../../open/tenant.js";
import { columns } from "../../print/columns.js";
import { printDiagnostics } from "../../print/diagnostics.js";
import { showReading } from "../../print/reading.js";
import type { Context } from "../../run/context.js";
import { openProject } from "../../settings/project.js";
import { heldBack } from "../../settings/withheld.js";
import type { World } from "../../world/world.js";
import { aboutStore, lookAtStore, type StoreHealth } from "./store.js";
import type { DoctorFlags } from "./usage.js";

/** Says what works with these settings and credentials. Writes nothing. */
export default async function doctor(this: Context, flags: DoctorFlags): Promise<void> {
  const { world } = this;
  this.process.exitCode = await run(world, flags);
}

async function run(world: World, flags: DoctorFlags): Promise<number> {
  const project = await openProject(world, flags);
  const held = heldBack("doctor", project.value.held);
  const wrong = [...project.diagnostics, ...(held === null ? [] : [held])];
  printDiagnostics(world, world.stderr, wrong);
  if (hasErrors(wrong)) return codeOf("invalid settings");
  const log = flags.verbose ? (line: string) => world.stderr.write(`${tameLine(line)}\n`) : null;
  const { value: tenant, diagnostics } = await connect(world, project.value, { log, watch: null });
  printDiagnostics(world, world.stderr, diagnostics);
  const { health: store, snapshot } = await lookAtStore(world, project.value);
  if (tenant === null) {
    world.stderr.write(`${tameLine(aboutStore(store))}\n`);
    return codeOf("invalid settings");
  }
  const { progress, end } = showReading(world, { ...flags, quiet: flags.format === "json" }, tenant);
  try {
    const examination = await examine(
      tenant.client,
      { asked: project.value.settings.interface.value, snapshot },
      progress,
    ).finally(end);
    const health: Health = { server: tenant.name, store, ...examination };
    const text =
      flags.format === "json"
        ? safeJson(`${JSON.stringify(health, null, 2)}\n`)
        : healthText(health, world.stdout.columns).split("\n").map(tameLine).join("\n");
    world.stdout.write(text);
    return codeOf(isHealthy(health) ? "done" : "not healthy");
  } finally {
    await tenant.close();
  }
}

/** Everything that a doctor found. */
interface Health extends Examination {
  readonly server: string;
  readonly store: StoreHealth;
}

/** Whether remit can plan and apply: everything that it must read can be read. */
function isHealthy({ store, features }: Health): boolean {
  if (!store.isReachable || features === null) return false;
  const all = features.flatMap((feature) => feature.reads.map(({ answer }) => answer));
  // Where nothing can be read, the reads of a plan had no object to be tried with.
  if (all.length > 0 && all.every((answer) => answer !== "yes")) return false;
  // A feature that writes is one that plans.
  const reads = features.filter(({ write }) => write !== null).flatMap((feature) => feature.reads);
  return reads.every(({ answer }) => answer !== "refused" && answer !== "failed");
}

/** What was found, as lines: who asks, the store, a line for each feature, and what is missing. */
function healthText(health: Health, width: number): string {
  const { features } = health;
  const head = [aboutTenant(health), aboutStore(health.store)];
  if (features === null) return linesOf(head);
  const table = columns([
    ["FEATURE", "READS", "WRITES"],
    ...features.map((feature) => [feature.name, readsOf(feature), feature.write?.answer ?? "nothing"]),
  ]);
  const notes = [...features.flatMap((feature) => notesOn(feature, width)), ...advice(features, width)];
  return `${linesOf(head)}\n${table}${notes.length === 0 ? "" : `\n${linesOf(notes)}`}`;
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function aboutTenant({ server, identity, why, next }: Health): string {
  if (why !== null) return `Tenant: ${server} cannot be used: ${why}.${next === null ? "" : `\n  = ${next}`}`;
  if (identity === null) return `Tenant: ${server} answers, and does not say whose credentials these are.`;
  const roles = identity.roles.length === 0 ? "without roles" : `with the roles ${identity.roles.join(", ")}`;
  const user = identity.email ?? identity.user ?? "no user";
  return `Tenant: ${server} answers. The credentials belong to ${user}, ${roles}.`;
}

/** `yes`, or how many of the reads work. On `core` an object is not read. */
function readsOf({ reads }: ExaminedFeature): string {
  const works = reads.filter(({ answer }) => answer === "yes").length;
  const [first] = reads;
  if (reads.length === 0) return "not used";
  if (works === reads.length) return "yes";
  return reads.length === 1 && first !== undefined ? first.answer : `${works} of ${reads.length}`;
}

/** What a reader may want to do something about. */
function notesOn({ name, reads, write, without }: ExaminedFeature, width: number): readonly string[] {
  const missing = reads.filter(({ answer }) => answer !== "yes");
  const isRefused = missing.some(({ answer }) => answer !== "not tried");
  const lines = [
    ...missing.map(aboutRead),
    ...(isRefused ? [without] : []),
    ...(write === null || write.answer === "by role" ? [] : [`Writes: ${write.answer}: ${write.why}.`]),
  ];
  return lines.length === 0 ? [] : [`${name}:`, ...lines.flatMap((line) => wrap(line, width, "  ", "    "))];
}

function aboutRead({ shows, why, answer }: ExaminedRead): string {
  return answer === "not tried" ? `${shows}: not tried: ${why}.` : `${shows}: ${answer}: ${why}.`;
}

/** The role that reads everything, where a read was refused: docs/service/live-reads.md, section G. */
function advice(features: readonly ExaminedFeature[], width: number): readonly string[] {
  const isRefused = features.some(({ reads }) => reads.some(({ answer }) => answer === "refused"));
  if (!isRefused) return [];
  const text =
    "To allow what is refused, give the client a role that may read it. The vendor's documentation names Read-Only Super Admin " +
    "for campaigns, apps, access profiles, groups and users. A Campaign Admin reads its own campaigns, and no groups or users.";
  return ["", ...wrap(text, width, "")];
}
