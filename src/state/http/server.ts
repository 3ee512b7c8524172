import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { Clock } from "../../model/clock.js";
import type { Message, Transmit } from "../../model/exchange.js";
import { isObject, parseJson } from "../../model/json.js";
import type { Secret } from "../../model/secret.js";
import type { Owner, StateError } from "../store.js";
import { noRoom, refused } from "../web/fault.js";
import { untilAnswered, type WebReply } from "../web/untilAnswered.js";
import type { WebMethods } from "./address.js";

/** The longest ID of a lock that GitLab accepts. */
const LONGEST = 255;
const PATTERN = /^(.*), process (\d+) on (.*?)(?:, (https?:\/\/\S+))?, run ([^\s,]*) ([^\s,]*)$/s;

/** Who holds a lock, as the server names it. */
interface LockHolder {
  readonly lockId: string;
  readonly owner: Owner | null;
}

/** The protocol, with each request repeated where the server cannot answer. */
export interface StateServer {
  /** The document as text; null before the first. */
  get(): Promise<string | null>;
  /** Replaces the document; gives whether the lock of that ID was in force. */
  put(text: string, lockId: string): Promise<boolean>;
  /** Takes the lock; gives its holder where it is held, also by this ID. */
  lock(lockId: string, owner: Owner): Promise<LockHolder | null>;
  /**
   * Whether that ID holds the lock. It is asked with an ID that no run has: a server may grant a lock again to its holder,
   * and that does not show whether it was held.
   */
  isHeldBy(lockId: string, owner: Owner): Promise<boolean>;
  unlock(lockId: string): Promise<void>;
}

/** How the server is reached. */
export interface StateServerOptions {
  readonly methods: WebMethods;
  readonly user: string;
  readonly password: Secret | null;
  readonly transmit: Transmit;
  readonly clock: Clock;
  readonly version: string;
}

/** Statuses by which a server refuses a request because of a lock. */
const LOCKED: ReadonlySet<number> = new Set([409, 423, 412]);

export function stateServer({
  methods,
  user,
  password,
  transmit,
  clock,
  version,
}: StateServerOptions): StateServer {
  const name = methods.address;

  function ask(method: string, url: string, body?: string): Promise<WebReply> {
    const headers: Record<string, string> = { accept: "application/json" };
    if (body !== undefined) headers["content-type"] = "application/json";
    if (password !== null)
      headers.authorization = `Basic ${Buffer.from(`${user}:${password.reveal()}`).toString("base64")}`;
    const message: Message = { method, url, headers, body };
    return untilAnswered(() => message, { name, transmit, clock });
  }

  async function get(): Promise<string | null> {
    const reply = await ask("GET", methods.address);
    if (reply.status === 404 || reply.status === 204) return null;
    if (reply.status !== 200) throw answered(name, "read", reply);
    return reply.text === "" ? null : reply.text;
  }

  return {
    get,
    async put(text, lockId) {
      const reply = await ask(methods.update, withId(methods.address, lockId), text);
      if (reply.status >= 200 && reply.status < 300) return true;
      // A write may have had its effect where its reply was lost, and where a proxy repeated it.
      if (reply.isRepeated && (await get()) === text) return true;
      if (!LOCKED.has(reply.status)) throw answered(name, "written", reply);
      return false;
    },
    lock,
    async isHeldBy(lockId, owner) {
      const asking = lockIdOf(owner, randomBytes(8).toString("hex"));
      const holder = await lock(asking, owner);
      if (holder !== null && holder.lockId !== asking) return holder.lockId === lockId;
      await unlock(asking);
      return false;
    },
    unlock,
  };

  async function lock(lockId: string, owner: Owner): Promise<LockHolder | null> {
    const info = JSON.stringify({
      ID: lockId,
      Operation: owner.command,
      Info: owner.job ?? "",
      Who: owner.user ?? owner.host,
      Version: version,
      Created: owner.since,
      Path: "",
    });
    const reply = await ask(methods.lock.method, methods.lock.address, info);
    if (reply.status >= 200 && reply.status < 300) return null;
    if (!LOCKED.has(reply.status)) throw answered(name, "locked", reply);
    const holder = parseJson(reply.text);
    const heldId = isObject(holder) && typeof holder.ID === "string" ? holder.ID : "";
    const created = isObject(holder) ? holder.Created : null;
    return { lockId: heldId, owner: ownerIn(heldId, created) ?? strangerIn(holder) };
  }

  async function unlock(lockId: string): Promise<void> {
    const { method, address } = methods.unlock;
    // Terraform's own protocol names the lock in the body, and GitLab's in the address.
    const reply = await ask(method, withId(address, lockId), JSON.stringify({ ID: lockId }));
    const isGone = LOCKED.has(reply.status) || reply.status === 404;
    if (reply.status >= 300 && !isGone) throw answered(name, "unlocked", reply);
  }
}

/** An address that names the lock, beside what its own query says. */
function withId(address: string, lockId: string): string {
  return `${address}${address.includes("?") ? "&" : "?"}ID=${encodeURIComponent(lockId)}`;
}

/** A holder that is not remit, such as Terraform. */
function strangerIn(holder: unknown): Owner | null {
  if (!isObject(holder)) return null;
  const [id, user, since] = [holder.ID, holder.Who, holder.Created].map((text) => String(text ?? "unknown"));
  if (id === undefined || user === undefined || since === undefined) return null;
  return { id, host: user, pid: 0, command: "another program", since, job: null, user };
}

/** What the server's refusal means. */
function answered(name: string, what: string, { status }: WebReply): StateError {
  if (status === 401)
    return refused(
      name,
      `it does not accept this user (status 401)`,
      "Check TF_HTTP_USERNAME and TF_HTTP_PASSWORD. In a job of GitLab, CI_JOB_TOKEN is used.",
    );
  if (status === 403)
    return refused(
      name,
      `this user may not have it ${what} (status 403)`,
      "In GitLab, the role Developer reads a state, and only the role Maintainer locks and writes it. A job has the role of the user who started it.",
    );
  if (status === 404)
    return refused(
      name,
      "its server has no such address, or shows it to others only (status 404)",
      "Check the project in the address, and that the user may see it.",
    );
  if (status === 413)
    return refused(
      name,
      "the state is too large for its server (status 413)",
      "Keep it in another store: docs/stores.md.",
    );
  if (status === 507) return noRoom(name, "status 507");
  if (status >= 300 && status < 400)
    return refused(
      name,
      `its server sends requests elsewhere (status ${status})`,
      "Write that address yourself: remit sends credentials nowhere else.",
    );
  return refused(
    name,
    `it could not be ${what} (status ${status})`,
    "Look for that status in the log of its server.",
  );
}

/**
 * The ID of a lock: the protocol shows a waiting run little else of its holder. It names the command, the process, the
 * host and the address of the job; what is too long is cut, and the job's address last of all.
 */
export function lockIdOf({ id, host, pid, command, job }: Owner, token: string): string {
  const end = `, run ${id.slice(0, 24)} ${token}`;
  const place = `, process ${pid} on `;
  let room = LONGEST - end.length - place.length;
  const at = job === null ? "" : `, ${job}`.slice(0, room - 2);
  room -= at.length;
  const named = host.slice(0, Math.max(1, Math.min(host.length, room - Math.min(command.length, 20))));
  return `${command.slice(0, Math.max(1, room - named.length))}${place}${named}${at}${end}`;
}

/** The owner that an ID names; null where remit has not written it. `created` is when the server says it was locked. */
export function ownerIn(lockId: string, created: unknown): Owner | null {
  const [, command, pid, host, job, id] = PATTERN.exec(lockId) ?? [];
  if (command === undefined || host === undefined || id === undefined) return null;
  const since = typeof created === "string" ? created : "a time that the server does not name";
  return { id, host, pid: Number(pid), command, since, job: job ?? null, user: null };
}
