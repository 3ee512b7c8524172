#!/usr/bin/env node
import { ignoreClosed } from "../cli/world/ignoreClosed.js";
import { asksVersionAlone, VERSION_LINE } from "../commands/version/alone.js";

// The package has this module as one small file. A line that asks for the version alone loads nothing else.
const line = process.argv.slice(2);
if (asksVersionAlone(line)) ignoreClosed(process.stdout).write(VERSION_LINE);
else {
  const { runPackaged } = await import("./packaged.js");
  await runPackaged(line);
}
