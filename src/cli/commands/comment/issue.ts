import {
  ApiError,
  BESIDE,
  commentText,
  inline,
  LONGEST,
  type NightInComment,
  nightLine,
  type Pipeline,
  readPlanReport,
  renderNights,
  silenceOf,
  upsert,
} from "../../../entry/forge.js";
import { tameLine } from "../../../entry/messages.js";
import type { Checked, Diagnostic } from "../../../entry/values.js";
import { connectForge } from "../../forge/connectForge.js";
import { readNamedFile } from "../../outside/namedFile.js";
import type { World } from "../../outside/world.js";
import { refused, SAID, summarise, WHY, writeText } from "./endings.js";
import { placeOf, sameName, unreadable } from "./parts.js";

/** Which issue, and how. */
export interface IssueFlags {
  readonly issue: number;
  readonly out?: string;
  readonly verbose: boolean;
}

/** Posts what nightly plans found as one comment on an issue, and edits it in place from then on. It sets no status. */
export async function commentOnIssue(
  world: World,
  pipeline: Pipeline,
  files: readonly string[],
  { issue, out, verbose }: IssueFlags,
): Promise<readonly Diagnostic[]> {
  const read = await readNights(world, files, pipeline);
  if (read.diagnostics.length > 0) return read.diagnostics;
  const nights = read.value;
  const today = new Date(world.clock.now()).toISOString().slice(0, 10);
  const text = (maxBytes: number) => renderNights(nights, today, maxBytes);
  const written = await writeText(world, text, out);
  const silence = silenceOf(pipeline);
  if (silence !== null) return [...written, ...(await summarise(world, text, WHY[silence]))];
  const connected = await connectForge(world, pipeline, verbose, "issue");
  if (connected.value === null) return [...written, ...connected.diagnostics];
  const { forge, close } = connected.value;
  const comment = commentText({
    about: "night",
    names: nights.map(({ name }) => name),
    text: text(LONGEST.comment - BESIDE),
    line: nights.map(({ report }) => nightLine(report, today)).join("; "),
    steps: new Map(),
    escaped: inline,
  });
  try {
    const said = SAID[await upsert(forge, issue, comment)];
    world.stderr.write(`${tameLine(`${said} #${issue}`)}\n`);
    return written;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await summarise(world, text, "the forge refused it");
    return [...written, refused(error, pipeline, "issue")];
  } finally {
    close();
  }
}

/** Whether a file could not be used, so that nothing was posted. */
export function isUnusable({ code }: Diagnostic): boolean {
  return code === "report/malformed" || code === "plan/unreadable" || code === "forge/same-name";
}

async function readNights(
  world: World,
  files: readonly string[],
  pipeline: Pipeline,
): Promise<Checked<readonly NightInComment[]>> {
  const value: NightInComment[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const argument of files) {
    const [, given = null, file = argument] = /^([^=/\\]+)=(.+)$/s.exec(argument) ?? [];
    const found = await readNamedFile(world, file);
    if (found.text === null) {
      diagnostics.push(unreadable(file, found.why));
      continue;
    }
    const { value: report, diagnostics: problems } = readPlanReport(found.text);
    diagnostics.push(...problems);
    if (report === null) continue;
    const place = placeOf({ world, file, given, pipeline }, report.server, report.commit);
    if (value.some(({ name }) => name === place.name)) diagnostics.push(sameName(`report of ${place.name}`));
    value.push({ ...place, report });
  }
  return { value, diagnostics };
}
