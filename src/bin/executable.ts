import { getAsset } from "node:sea";
import { ignoreClosed } from "../cli/world/ignoreClosed.js";
import { asksVersionAlone, VERSION_LINE } from "../commands/version/alone.js";
import { runLine } from "./runLine.js";

// The single executable runs this module in place of `remit.ts`. It has the modules of the command as assets. A file beside
// the executable is never a part of it.
const line = process.argv.slice(2);
if (asksVersionAlone(line)) ignoreClosed(process.stdout).write(VERSION_LINE);
else void runLine(line, (name) => getAsset(name, "utf8"), null);
