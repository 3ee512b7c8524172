import type { Kind } from "../kinds/kind.js";
import { backgroundOf } from "../plan/background.js";
import { writes } from "../plan/calls.js";
import { nameOfStep, stepHashes } from "../plan/effect.js";
import { recordsOf } from "../plan/records.js";
import type { Step } from "../plan/step.js";
import type { StepContext } from "./context.js";
import type { Halt } from "./halt.js";
import type { Job } from "./job.js";
import { makeRecentReads, wantedBy } from "./recentReads.js";
import { makeReread, withTurns } from "./reread.js";
import { insideUnit } from "./service.js";
import type { Voice } from "./voice.js";

/** What each step of a run is performed with. */
export interface StepContexts {
  readonly of: (step: Step) => StepContext;
  /** A list that the steps up to that place will ask for. */
  readonly readAhead: (place: number) => (() => Promise<void>) | undefined;
}

/** Opens what the steps of a run share: what is remembered, and what is read just before each write. */
export function makeContexts(job: Job, steps: readonly Step[], voice: Voice, halt: Halt): StepContexts {
  const { plan, kinds, snapshot, service, clock } = job;
  const memory = recordsOf(snapshot, kinds);
  const look = makeReread(insideUnit(service), true);
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));

  function kindOf({ address }: Step): Kind {
    const kind = byName.get(address.kind);
    if (kind === undefined) throw new Error(`no kind ${address.kind}`);
    return kind;
  }
  const source = ({ address }: Step) => plan.interface.kinds[address.kind];
  const isLive = (step: Step) => source(step)?.source === "live";
  const isRead = (step: Step) => isLive(step) && (writes(step.action) || job.isSaved);
  const hashes = stepHashes(plan);
  const looks = { waiting: withTurns(look, service), inTurn: look };
  const fresh = makeRecentReads(steps, isRead, kindOf, looks, clock);

  return {
    of(step) {
      const kind = kindOf(step);
      const { address, key } = step;
      const entry = memory.entry(address.kind, key);
      return {
        kind,
        on: source(step)?.interface ?? "core",
        service,
        patience: { clock, milliseconds: job.patience },
        record: voice.mustRecord,
        tell: voice.tell,
        hash: hashes.get(nameOfStep(step)) ?? "",
        isBelieved: isLive(step) && !isRead(step),
        entry,
        background: backgroundOf(step, entry, isLive(step), kind),
        uncertain: memory.uncertain(address, key),
        halt,
        mayReplaceUnseen: job.mayReplaceUnseen(address),
        readBefore: isRead(step)
          ? { withoutTurn: () => fresh.seen(step, "waiting"), inTurn: () => fresh.seen(step, "inTurn") }
          : null,
        readBack: isRead(step) ? (now) => look.one(wantedBy({ ...step, key: now }, kind)) : null,
      };
    },
    readAhead: fresh.next,
  };
}
