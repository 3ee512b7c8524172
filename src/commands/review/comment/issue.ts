import type { World } from "../../../cli/world/world.js";
import { type Pipeline, silenceOf } from "../../../forge/pipeline.js";
import type { Checked, Diagnostic } from "../../../model/diagnostic.js";
import { type NightInComment, renderNights } from "../../../report/forms/comment/night.js";
import { readPlanReport } from "../../../report/readReport.js";
import { inline } from "../../../report/text/escape.js";
import { tameLine } from "../../../report/text/visible.js";
import { nightOf } from "../../../report/view/night.js";
import { post } from "../post.js";
import { onForge, SAID, summarise, WHY, writeText } from "./endings.js";
import { type NamedPart, placeOf, readFiles } from "./files.js";

/** Which issue, and how. */
interface IssueFlags {
  readonly issue: number;
  readonly out?: string;
  readonly verbose: boolean;
}

/** Reads the report of each nightly plan; null, with the reasons, where one cannot be used. */
export function readNights(
  world: World,
  files: readonly string[],
  pipeline: Pipeline,
): Promise<Checked<readonly NightInComment[] | null>> {
  const today = new Date(world.clock.now()).toISOString().slice(0, 10);
  const nightFrom = async (text: string, about: NamedPart): Promise<Checked<NightInComment | null>> => {
    const { value: report, diagnostics } = readPlanReport(text);
    if (report === null) return { value: null, diagnostics };
    return { value: { ...placeOf(about, report), night: nightOf(report, today) }, diagnostics };
  };
  return readFiles(world, files, pipeline, nightFrom, ({ name }) => `report of ${name}`);
}

/** Posts what nightly plans found as one comment on an issue, and edits it in place from then on. It sets no status. */
export async function commentOnIssue(
  world: World,
  pipeline: Pipeline,
  nights: readonly NightInComment[],
  { issue, out, verbose }: IssueFlags,
): Promise<readonly Diagnostic[]> {
  const text = (maxBytes: number) => renderNights(nights, maxBytes);
  const written = await writeText(world, text, out);
  const silence = silenceOf(pipeline);
  if (silence !== null) return [...written, ...(await summarise(world, text, WHY[silence]))];
  const found = await onForge(world, pipeline, { verbose, on: "issue", text }, async (forge) => {
    const said =
      SAID[
        await post(forge, issue, {
          about: "night",
          names: nights.map(({ name }) => name),
          text,
          line: nights.map(({ night }) => night.line).join("; "),
          steps: new Map(),
          escaped: inline,
        })
      ];
    world.stderr.write(`${tameLine(`${said} #${issue}`)}\n`);
    return [];
  });
  return [...written, ...found];
}
