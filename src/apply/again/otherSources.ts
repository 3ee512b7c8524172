import { kinds } from "../../kinds/index.js";
import { askedFor, blind, isAskedBlind, LIVE, OFFLINE } from "../../kinds/interface.js";
import type { Kind } from "../../kinds/kind.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { same } from "../../model/json.js";
import { isPending } from "../../plan/calls.js";
import type { Plan } from "../../plan/plan.js";
import type { Recalled, Request } from "../../plan/request.js";
import type { Step } from "../../plan/step.js";
import { say } from "../../words/say.js";
import { wantedBy } from "../reads/recentReads.js";
import { makeReread } from "../reads/reread.js";
import type { Session } from "../session.js";

/**
 * Why a saved plan was not made from what this run can see. A plan never chooses that its objects are written without a
 * look at them: the interface is the one in force. Where that is `auto`, the service is asked whether it has the reads
 * that the plan did without.
 */
export async function otherSources(
  { steps, interface: found, mode }: Plan,
  { tenant: { interface: asked } }: Pick<Request, "tenant">,
  { snapshot }: Pick<Recalled, "snapshot">,
  { client }: Pick<Session, "client">,
): Promise<readonly Diagnostic[]> {
  const faults: Diagnostic[] = [];
  for (const kind of kinds) {
    const first = steps.find((step) => step.address.kind === kind.name && isPending(step.action));
    const source = found.kinds[kind.name];
    if (first === undefined || source === undefined) continue;
    const on = askedFor(asked, kind.name);
    const isBlind = same(source, blind(source.why));
    const isSeen = same(source, LIVE) || (same(source, OFFLINE) && mode.offline);
    const mayBe = isAskedBlind(asked, kind.name) ? isBlind : isSeen || (isBlind && on === "auto");
    if (!mayBe) {
      faults.push(other(kind, source.interface, on));
    } else if (isBlind && on === "auto") {
      const wasRead = snapshot?.wasRead ?? false;
      if (client !== null && (await isOffered(kind, first, makeReread(client, wasRead)))) {
        faults.push(
          other(kind, source.interface, "the service has reads of it, or did not say that it has none"),
        );
      }
    }
  }
  return faults;
}

async function isOffered(kind: Kind, step: Step, look: ReturnType<typeof makeReread>): Promise<boolean> {
  return !("notOffered" in (await look.many(kind, [wantedBy(step, kind)])));
}

function other({ name }: Kind, made: string, now: string): Diagnostic {
  return say("plan/other-interface", { made, name, now });
}
