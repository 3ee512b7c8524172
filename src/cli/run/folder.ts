import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { formatNotice } from "../../entry/messages.js";
import { reasonOf } from "../world/reason.js";
import type { World } from "../world/world.js";

/** A command line without `-C DIR`, and the world as that folder sees it; or why that folder cannot be entered. */
export type Moved =
  | { readonly argv: readonly string[]; readonly world: World }
  | { readonly refusal: string };

/** Runs the command as if it was started in the folder after `-C`, which may be before or after the command. */
export function enterFolder(argv: readonly string[], world: World): Moved {
  const end = argv.indexOf("--");
  const at = argv.findIndex((word, place) => word === "-C" && (end === -1 || place < end));
  if (at === -1) return { argv, world };
  const folder = argv[at + 1];
  if (folder === undefined || folder === "")
    return refuse("-C needs a folder", "Write the folder after it: remit -C reviews plan.");
  const rest = [...argv.slice(0, at), ...argv.slice(at + 2)];
  try {
    const cwd = realpathSync(resolve(world.cwd, folder));
    if (!statSync(cwd).isDirectory()) return refuse(`${folder} is not a folder`, "Name a folder after -C.");
    return enterFolder(rest, { ...world, cwd });
  } catch (error) {
    const reason = reasonOf(String((error as NodeJS.ErrnoException).code));
    return refuse(`remit cannot enter ${folder}: ${reason}`, "Name a folder after -C.");
  }
}

function refuse(message: string, hint: string): Moved {
  return { refusal: `${formatNotice({ code: "command/folder", severity: "error", message, hint })}\n` };
}
