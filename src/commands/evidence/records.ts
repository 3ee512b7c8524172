import { plan as makePlan, STEPS_ALONE } from "../../apply/preview.js";
import { readRecord } from "../../apply/runRecord.js";
import type { Session } from "../../apply/session.js";
import { formatAddress } from "../../model/address.js";
import { formatKey } from "../../model/key.js";
import type { Plan } from "../../plan/plan.js";
import type { Request } from "../../plan/request.js";
import { isWriting } from "../../plan/saved/effect.js";
import { fingerprint } from "../../plan/saved/spelling.js";
import type { RecordText } from "../../state/record.js";
import type { Store } from "../../state/store.js";
import { walkHistory } from "../../state/walkHistory.js";

/** The record of a run, and those before it that no other run gives evidence of. */
interface RunRecords {
  readonly own: RecordText;
  /** The newest first, up to the last one of an apply. */
  readonly earlier: readonly RecordText[];
}

/** The records of a run as the store has them; null where the store has none of it. */
export async function recordsOf(store: Store, run: string): Promise<RunRecords | null> {
  const { snapshot } = await store.read();
  let own: RecordText | null = null;
  const earlier: RecordText[] = [];
  await walkHistory(store, snapshot?.history, ({ hash, record: text }) => {
    const kept = { hash, text };
    const record = readRecord(text);
    if (own !== null) earlier.push(kept);
    const isLast = own !== null && record?.as === "apply";
    if (record?.run === run && record.as === "apply") own = kept;
    return !isLast;
  });
  return own === null ? null : { own, earlier };
}

/** What an object of a run is in the tenant now. */
export interface FoundObject {
  readonly address: string;
  /** `as applied`: a plan of the same manifests changes nothing of it. */
  readonly found: "as applied" | "different" | "not read";
  /** The SHA-256 of what was read; null where nothing was. */
  readonly sha256: string | null;
}

/** Reads the objects of a plan back: a new plan of the same manifests shows what each of them is now. Null where none could be made. */
export async function readBack(
  applied: Plan,
  request: Request,
  session: Session,
): Promise<readonly FoundObject[] | null> {
  const { value: now, look } = await makePlan({ ...request, ...STEPS_ALONE }, session);
  if (now === null || look === null) return null;
  const { objects } = look.known.current;
  const steps = new Map(now.steps.map((step) => [formatAddress(step.address), step]));
  return applied.steps.filter(isWriting).map((done): FoundObject => {
    const address = formatAddress(done.address);
    const step = steps.get(address);
    const key = step?.key ?? null;
    const object = key === null ? undefined : objects.get(formatKey(done.address.kind, key));
    if (step === undefined || object?.as !== "present") return { address, found: "not read", sha256: null };
    const found = step.action === "keep" ? "as applied" : "different";
    return { address, found, sha256: fingerprint(object.fields).replace("sha256:", "") };
  });
}
