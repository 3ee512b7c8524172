import { getAsset } from "node:sea";
import { compileFunction } from "node:vm";
import { asksVersionAlone, VERSION_LINE } from "./commands/version/alone.js";
import { ignoreClosed } from "./world/ignoreClosed.js";

// The single executable runs this module in place of `remit.ts`. It has the modules of the package as assets, changed to
// CommonJS, and reads one when a command first needs it. A file beside the executable is never a part of it.
const line = process.argv.slice(2);
if (asksVersionAlone(line)) ignoreClosed(process.stdout).write(VERSION_LINE);
else {
  const { start } = load("start.js") as typeof import("./start.js");
  void start(line);
}

type Module = { readonly exports: object };

/** The modules that were loaded, by name. A module that imports one that is still loading gets what that has so far. */
function loaded(): Map<string, Module> {
  modules ??= new Map();
  return modules;
}
var modules: Map<string, Module> | undefined;

function load(name: string): object {
  const known = loaded().get(name);
  if (known !== undefined) return known.exports;
  const module: Module = { exports: {} };
  loaded().set(name, module);
  const code = compileFunction(getAsset(name, "utf8"), ["module", "exports", "require"], { filename: name });
  code(module, module.exports, (asked: string) => {
    const own = /^(?:\.\.?\/)+(?:parts\/)?([\w.-]+\.js)$/.exec(asked)?.[1];
    return own === undefined ? process.getBuiltinModule(asked) : load(own);
  });
  return module.exports;
}
