import { type CommandRun, recordedCommand } from "../../apply/history.js";
import { openSnapshot } from "../../apply/journal/openSnapshot.js";
import { type Reread, rereadAsked, unlisted } from "../../apply/reads/reread.js";
import { recallUnderLock } from "../../apply/recallUnderLock.js";
import type { Session } from "../../apply/session.js";
import { recordAsFound, settle } from "../../apply/settle.js";
import { kindNamed, kindOf } from "../../kinds/index.js";
import type { Kind } from "../../kinds/kind.js";
import { loadProject } from "../../manifest/project.js";
import type { Resource } from "../../manifest/resource.js";
import { type Address, formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { type JsonObject, same } from "../../model/json.js";
import { formatKey, type Key, unfitCharacter } from "../../model/key.js";
import { idsOf } from "../../plan/decide/uncertain.js";
import { createOnlyOf } from "../../plan/record/background.js";
import { madeAt, type StepRecord } from "../../plan/record/record.js";
import type { Request } from "../../plan/request.js";
import { otherServer } from "../../plan/server.js";
import type { Entry, Snapshot, Uncertain } from "../../state/snapshot.js";
import { StateError } from "../../state/store.js";
import type { Present } from "../../tenant/known.js";
import { say } from "../../words/say.js";

/** What a person says of a create whose result is not known: the object that it made. */
interface SettleOrder {
  /** As the state names it: `Kind/name`. */
  readonly address: string;
  readonly key: Key;
  readonly project: Request["project"];
  readonly tenant: Pick<Request["tenant"], "server" | "interface">;
}

/** A create that the state knows and that has no certain object. */
interface OpenCreate {
  readonly address: Address;
  /** Null where nothing names it yet. */
  readonly key: Key | null;
  /** What the create sent; empty where only its object is recorded. */
  readonly applied: JsonObject;
  readonly createOnly?: JsonObject;
  readonly of?: Uncertain["of"];
}

/**
 * Records which object a create made: one whose result is unknown, or one that the state of an unfinished apply names
 * and the tenant did not confirm. The object is read first, where the service shows it. An apply of the same effect goes
 * on from the first. It does not from the second, because a state that others may write decides nothing about an approved
 * effect. Gives the object; null where the service does not show it. Throws a `StateError` where anything says that the
 * object is not the one.
 */
export async function settleByHand(
  order: SettleOrder,
  session: Session,
  command: CommandRun,
  timeout: number,
): Promise<Present | null> {
  const { address, key, project, tenant } = order;
  const { store, client } = session;
  const { resources, diagnostics } = await loadProject(project.manifests);
  refuseErrors(diagnostics.map(({ diagnostic }) => diagnostic));
  const lock = await store.lock(command.owner, { timeout });
  try {
    const recalled = await recallUnderLock(session, order, lock);
    const { snapshot } = recalled.value;
    refuseErrors([...recalled.diagnostics, ...otherServer(snapshot, tenant.server)]);
    const open = openCreateOf(snapshot, address);
    const kind = kindNamed(open?.address.kind ?? "");
    if (snapshot === null || open === undefined || kind === undefined)
      throw new StateError(say("state/not-uncertain", { address }));
    refuseOtherIds(open, key, kind);
    const place = formatKey(kind.name, key);
    const owner = ownerOf(kind, key, address, snapshot, resources);
    if (owner !== null) throw new StateError(say("state/taken", { place, owner }));
    const reread = client === null ? null : rereadAsked(client, tenant.interface, kind, snapshot.wasRead);
    const seen = reread === null ? null : await look(kind, key, reread);
    if (seen === "gone") throw new StateError(say("state/gone", { key: key.join("/"), address }));
    const settled = withObject(snapshot, open, kind, key, seen, command);
    const entry = settled.entries[place];
    if (entry === undefined) throw new Error("a settled create has an entry");
    const own = recordedCommand(store, command, [settledStep(entry)])(settled);
    if (own.record !== null) void lock.append(own.record);
    await lock.save(own.snapshot);
    return seen;
  } finally {
    await lock.release();
  }
}

function refuseErrors(diagnostics: readonly Diagnostic[]): void {
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error !== undefined) throw new StateError(error);
}

function openCreateOf(snapshot: Snapshot | null, address: string): OpenCreate | undefined {
  const isIt = (one: { readonly address: Address }) => formatAddress(one.address) === address;
  const { applying = null, uncertain = {} } = snapshot ?? {};
  const create = Object.values(uncertain).find(isIt);
  if (create !== undefined) return create;
  const made = applying === null || applying.isComplete ? undefined : applying.created?.find(isIt);
  return made === undefined ? undefined : { ...made, applied: {} };
}

/** Throws where the ids cannot be those of the object. */
function refuseOtherIds({ address, key: known }: OpenCreate, key: Key, kind: Kind): void {
  const unfit = key.find((id) => unfitCharacter(id) !== null);
  const name = formatAddress(address);
  if (key.length !== kind.shape.identity.length || unfit !== undefined)
    throw new StateError(say("state/other-ids#form", { name, form: idsOf(kind), key: key.join("/") }));
  if (known !== null && !same(known, key))
    throw new StateError(say("state/other-ids#create", { name, known: known.join("/"), key: key.join("/") }));
}

/** What else has the object: another address in the state, or another manifest that writes its id. Null for nothing. */
function ownerOf(
  kind: Kind,
  key: Key,
  address: string,
  { entries }: Snapshot,
  resources: readonly Resource[],
): string | null {
  const recorded = entries[formatKey(kind.name, key)];
  if (recorded !== undefined && formatAddress(recorded.address) !== address)
    return formatAddress(recorded.address);
  const [last = ""] = kind.shape.identity.slice(-1);
  const writer = resources.find(
    (one) =>
      one.address.kind === kind.name &&
      formatAddress(one.address) !== address &&
      one.spec[last] === key.at(-1),
  );
  return writer === undefined ? null : `${formatAddress(writer.address)} (${writer.file})`;
}

/** The object as it is; null where the service shows none of its kind. Throws where it could not be read. */
async function look(kind: Kind, key: Key, reread: Reread): Promise<Present | "gone" | null> {
  const name = formatKey(kind.name, key);
  const wanted = { kind, key, parent: key.slice(0, -1), name, spec: null, expected: null };
  const objects = await reread.many(unlisted(kind), [wanted]);
  const seen = "notOffered" in objects ? undefined : objects.get(name);
  switch (seen?.as) {
    case "present":
      return seen;
    case "absent":
      return "gone";
    case "unread":
      throw new StateError(seen.diagnostic);
    default:
      return null;
  }
}

function withObject(
  snapshot: Snapshot,
  open: OpenCreate,
  kind: Kind,
  key: Key,
  seen: Present | null,
  { clock }: CommandRun,
): Snapshot {
  const { address } = open;
  const { applying } = snapshot;
  const created = (applying?.created ?? []).filter((one) => !same(one.address, address));
  const opened = openSnapshot({ ...snapshot, applying: applying === null ? null : { ...applying, created } });
  const known = snapshot.entries[formatKey(kind.name, key)];
  if (known === undefined || known.former === true) {
    const isAsSent = seen === null || settle(open.applied, seen, kind).as === "there";
    const isContinued = open.of !== undefined && open.of.effect === applying?.effect && !applying.isComplete;
    const step = isContinued && isAsSent ? open.of.step : null;
    // An apply of the same effect finishes what is not as it was sent.
    const outcome = isContinued && !isAsSent ? "failed" : "done";
    const record = recordOf(open, seen, isAsSent);
    const at = new Date(clock.now()).toISOString();
    opened.remember({ address, action: "create", outcome, step, key, record, diagnostics: [] }, at);
  }
  return opened.snapshot(snapshot.serial + 1);
}

/** What was sent counts as applied where the object has it; otherwise the next plan shows the rest as an edit. */
function recordOf(
  { address, applied, ...create }: OpenCreate,
  seen: Present | null,
  isAsSent: boolean,
): StepRecord {
  const created = createOnlyOf(create);
  if (!isAsSent)
    return { ...recordAsFound(seen, applied, { kind: kindOf(address), isProtected: false }), ...created };
  const answered = seen?.fields ?? null;
  return { applied, answered, rewritten: [], ...madeAt(seen), ...created, protected: false };
}

/** The step of the history: the object was not changed. */
function settledStep({ address, key, applied }: Entry) {
  const values = { before: applied, after: applied, fields: [] };
  return { address, key, action: "settle", outcome: "done", requests: [], ...values } as const;
}
