import { join, resolve } from "node:path";
import type { Recorder } from "../../apply/event.js";
import type { AppliedRun } from "../../apply/result.js";
import { readRecord } from "../../apply/runRecord.js";
import { give, THIS_MACHINE } from "../../cli/credentials/give.js";
import { withForge } from "../../cli/forge/connectForge.js";
import { branchOfRun, checkedOut, mergedInto } from "../../cli/forge/findPull.js";
import { pipelineOf } from "../../cli/forge/pipelineFrom.js";
import { type Run, sessionOf } from "../../cli/run/run.js";
import { tryToWrite } from "../../cli/world/write.js";
import { ifAllowed } from "../../forge/rest.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { parseJson } from "../../model/json.js";
import { isEmptyVariable } from "../../model/variables.js";
import { hidePeople } from "../../plan/people/impact.js";
import type { Request } from "../../plan/request.js";
import { writePlan } from "../../plan/saved/effect.js";
import { tameLine } from "../../report/text/visible.js";
import { say } from "../../words/say.js";
import { sealEnvelope, signingKey } from "./envelope.js";
import { type ReviewedPull, type RunEvidence, readBack, recordsOf, writeStatement } from "./statement.js";

/** Collects what proves an apply, while it runs. */
interface Collecting {
  /** Hears every event, and gives it on. */
  readonly listener: (next: Recorder) => Recorder;
  readonly review: ReviewedPull | null;
  /** Writes the evidence of the run; gives why it could not. */
  readonly write: (applied: AppliedRun, request: Request) => Promise<readonly Diagnostic[]>;
}

/** Begins to collect evidence before anything is applied; gives why it cannot, where the key cannot be used. */
export async function collectEvidence(
  run: Run,
  folder: string,
  { verbose, expectedBy }: { readonly verbose: boolean; readonly expectedBy: RunEvidence["expectedBy"] },
): Promise<Collecting | Diagnostic> {
  const { world, project, store, tenant } = run;
  const { value: pem } = give(project.env, "REMIT_EVIDENCE_KEY", THIS_MACHINE);
  const key = pem === null ? null : signingKey(pem.reveal());
  if (isEmptyVariable(project.env, "REMIT_EVIDENCE_KEY") || (pem !== null && key === null))
    return say("evidence/key");
  if (store.history === null) return say("evidence/no-history", { name: store.name });
  const review = await reviewOf(run, verbose);
  const now = () => new Date(tenant?.client.serverTime() ?? world.clock.now()).toISOString();
  let firstCall: string | null = null;

  return {
    review,
    listener: (next) => async (event) => {
      if (event.type === "intended") firstCall ??= now();
      await next(event);
    },
    async write({ plan }, request) {
      const records = await recordsOf(store, run.id);
      if (records === null) return [say("evidence/no-record")];
      const objects = await readBack(plan, request, sessionOf(run));
      const shown = parseJson(writePlan(hidePeople(plan)).text);
      const text = writeStatement({
        ...records,
        firstCall,
        expectedBy,
        plan: shown as Parameters<typeof writeStatement>[0]["plan"],
        findings: plan.findings.map(({ guard, message, hash, acknowledged }) => ({
          guard,
          message,
          hash,
          acknowledged,
        })),
        review,
        readBack: objects === null ? null : { at: now(), objects },
      });
      const number = String(readRecord(records.own.text)?.number ?? 0).padStart(6, "0");
      const name = `${number}-${run.id.replace(/[^\w-]/g, "")}.dsse.json`;
      const file = join(folder, name);
      return tryToWrite(world, {
        path: resolve(world.cwd, file),
        shown: file,
        text: sealEnvelope(text, key),
        access: "private when new",
      });
    },
  };
}

/** The pull request that brought the commit that is applied, and who approved it. What the forge does not tell stays open. */
async function reviewOf({ world }: Run, verbose: boolean): Promise<ReviewedPull | null> {
  const pipeline = (await pipelineOf(world)).value;
  if (pipeline === null) return null;
  const worked = await withForge(world, pipeline, verbose, async (forge): Promise<ReviewedPull | null> => {
    const { change, repository, commit: started, forge: name } = pipeline;
    const commit = (await checkedOut(world)) ?? started;
    const isOwn = change.as === "pull request";
    const found = isOwn
      ? [await forge.pullRequest(change.number)]
      : commit === null
        ? []
        : await mergedInto(branchOfRun(world.env, pipeline), forge, commit);
    const [pull] = found;
    if (pull === undefined || found.length > 1) return null;
    const approvals = await ifAllowed(() => forge.approvals(pull.number));
    return { forge: name, repository, number: pull.number, commit: pull.head.commit, approvals };
  });
  if (worked.as === "refused")
    world.stderr.write(`${tameLine(`The forge does not say who approved: ${worked.error.message}`)}\n`);
  return worked.as === "done" ? worked.value : null;
}
