import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";

/** A folder to work in, and a way to run a script there as a process under other conditions than this one. */
export interface OtherProcess {
  readonly folder: string;
  /** Runs a module's text that may import from `src/`; gives what it printed, as JSON. */
  readonly run: (
    script: string,
    limits?: { readonly fileBlocks?: number; readonly user?: number; readonly env?: NodeJS.ProcessEnv },
  ) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** Makes a folder for a script that runs under a limit, as another user, or in another environment. */
export async function otherProcess(): Promise<OtherProcess> {
  const folder = await mkdtemp(join(tmpdir(), "remit-process-"));
  await chmod(folder, 0o755);
  return {
    folder,
    async run(script, { fileBlocks, user, env } = {}) {
      const source = join(folder, "script.ts");
      const outfile = join(folder, "script.mjs");
      await writeFile(source, script.replaceAll("src/", `${resolve("src")}/`));
      await build({
        entryPoints: [source],
        outfile,
        bundle: true,
        platform: "node",
        format: "esm",
        // A package in it may be CommonJS, which calls `require`.
        banner: {
          js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
        },
        logLevel: "error",
      });
      const limit = fileBlocks === undefined ? "" : `ulimit -f ${fileBlocks}; `;
      const command = `${limit}exec "${process.execPath}" "${outfile}"`;
      const { stdout } = await promisify(execFile)("sh", ["-c", command], {
        ...(user !== undefined && { uid: user }),
        ...(env !== undefined && { env }),
      });
      return JSON.parse(stdout);
    },
    close: () => rm(folder, { recursive: true }),
  };
}
