import type { Owner } from "../store.js";

/** The longest ID of a lock that GitLab accepts. */
const LONGEST = 255;
const PATTERN = /^(.*), process (\d+) on (.*?)(?:, (https?:\/\/\S+))?, run ([^\s,]*) ([^\s,]*)$/s;

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
