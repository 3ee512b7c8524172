import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
 * Gives a test its line, its folder and its environment, and prints what it answers. A report for `/dev/stdout` is
 * printed by this script, because the test has another standard output.
 */
const SCRIPT = `#!/bin/bash
at=$(mktemp -d)
printf '%s\\0' "\${@/=\\/dev\\/stdout/=$at/report}" > "$at/argv"
env -0 > "$at/env"
touch "$at/report"
exec 3<> /dev/tcp/127.0.0.1/PORT
printf '%s\\n%s\\n' "$at" "$PWD" >&3
read -r code <&3
cat "$at/stdout" "$at/report"
cat "$at/stderr" >&2
rm -r "$at"
exit "$code"
`;

/**
 * Makes a program `remit` that runs each line inside this process: a process of its own takes thirty times as long to
 * start as a script does. What is tested is who starts it, and not the process.
 */
export async function remitOnPath(): Promise<RemitOnPath> {
  const server = createServer((socket) => {
    let asked = "";
    socket.on("error", () => undefined);
    socket.on("data", async (chunk) => {
      asked += chunk.toString();
      const [at = "", cwd = "", ...rest] = asked.split("\n");
      if (rest.length > 0) socket.end(`${await answer(at, cwd)}\n`);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const folder = mkdtempSync(join(tmpdir(), "remit-on-path-"));
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

/** Runs the line that stands in a folder, and writes there what it printed. */
async function answer(at: string, cwd: string): Promise<number> {
  const listed = (name: string) => readFileSync(join(at, name), "utf8").split("\0").slice(0, -1);
  const variables = listed("env").map((row): [string, string] => {
    const sign = row.indexOf("=");
    return [row.slice(0, sign), row.slice(sign + 1)];
  });
  const seen = await runInside(listed("argv"), { cwd, env: Object.fromEntries(variables) });
  writeFileSync(join(at, "stdout"), seen.stdout);
  writeFileSync(join(at, "stderr"), seen.stderr);
  return seen.code;
}
