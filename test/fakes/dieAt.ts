import { createHook } from "node:async_hooks";
import { writeFileSync } from "node:fs";
import { Socket } from "node:net";

/** What a process begins that reaches beyond it, but for what it writes to a socket. */
const DEALINGS = new Set([
  "FSREQCALLBACK",
  "FSREQPROMISE",
  "FILEHANDLECLOSEREQ",
  "PROCESSWRAP",
  "TCPCONNECTWRAP",
]);

/**
 * Counts a process's dealings with the disk, the network and other programs. Kills it at the one that DIE_AT names,
 * after DIE_LATER milliseconds; writes their number to the file COUNTED where it ends by itself.
 */
export function dieAt({ DIE_AT, DIE_LATER, COUNTED }: NodeJS.ProcessEnv): void {
  if (DIE_AT === undefined && COUNTED === undefined) return;
  const last = Number(DIE_AT ?? Number.POSITIVE_INFINITY);
  const later = Number(DIE_LATER ?? 0);
  const die = () => process.kill(process.pid, "SIGKILL");
  let count = 0;
  function deal(): void {
    count += 1;
    if (count !== last) return;
    if (later === 0) die();
    else setTimeout(die, later).unref();
  }
  createHook({
    init(_, type) {
      if (DEALINGS.has(type)) deal();
    },
  }).enable();
  const { write } = Socket.prototype;
  Socket.prototype.write = function (this: Socket, ...args: unknown[]) {
    deal();
    return (write as (...all: unknown[]) => boolean).apply(this, args);
  } as typeof write;
  if (COUNTED !== undefined) process.on("exit", () => writeFileSync(COUNTED, String(count)));
}
