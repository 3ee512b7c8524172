import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInside } from "./inside.js";

/** A folder for `PATH` with a program `remit`, which scripts start as they start the installed one. */
export interface RemitOnPath {
  readonly folder: string;
  close(): Promise<void>;
}

/**
 * Gives a test its line, its folder and its environment, and prints the files that it answers. It starts no program of
 * its own: the jobs of a workflow run it hundreds of times.
 */
const SCRIPT = `#!/bin/bash
exec 3<> /dev/tcp/127.0.0.1/PORT
{
  printf '%s\\0' "$#" "$@" "$PWD"
  while read -r name; do printf '%s=%s\\0' "$name" "\${!name}"; done < <(compgen -e)
  printf '\\0'
} >&3
read -r code at <&3
IFS= read -r -d '' text < "$at.stdout"
printf '%s' "$text"
IFS= read -r -d '' text < "$at.stderr"
printf '%s' "$text" >&2
exit "$code"
`;

/**
 * Makes a program `remit` that runs each line inside this process: a process of its own takes thirty times as long to
 * start as a script does. What is tested is who starts it, and not the process.
 */
export async function remitOnPath(): Promise<RemitOnPath> {
  const folder = mkdtempSync(join(tmpdir(), "remit-on-path-"));
  let runs = 0;
  const server = createServer((socket) => {
    let asked = "";
    socket.setEncoding("utf8");
    socket.on("error", () => undefined);
    socket.on("data", async (chunk) => {
      asked += chunk;
      const parts = asked.split("\0");
      // An argument may be empty, too; after the arguments, what is empty is the end.
      if (parts.length < Number(parts[0]) + 4 || !asked.endsWith("\0\0")) return;
      const at = join(folder, String(runs++));
      socket.end(`${await answer(parts.slice(0, -2), at)} ${at}\n`);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(folder, "remit"), SCRIPT.replace("PORT", String(port)), { mode: 0o755 });
  return {
    folder,
    async close() {
      await new Promise((closed) => server.close(closed));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs the line that was asked for, and writes what it printed; a report for `/dev/stdout` too, which is the script's. */
async function answer([count, ...parts]: readonly string[], at: string): Promise<number> {
  const end = Number(count);
  const argv = parts.slice(0, end).map((word) => word.replace("=/dev/stdout", `=${at}.report`));
  const variables = parts.slice(end + 1).map((row): [string, string] => {
    const sign = row.indexOf("=");
    return [row.slice(0, sign), row.slice(sign + 1)];
  });
  const seen = await runInside(argv, { cwd: parts[end] ?? "", env: Object.fromEntries(variables) });
  const report = existsSync(`${at}.report`) ? readFileSync(`${at}.report`, "utf8") : "";
  writeFileSync(`${at}.stdout`, seen.stdout + report);
  writeFileSync(`${at}.stderr`, seen.stderr);
  return seen.code;
}
