import type { CompiledCode } from "../cli/world/compiledCode.js";

/** A module as the build writes it: its text makes a function that fills its exports. */
type Module = { readonly exports: object };
type Made = (module: Module, exports: object, require: (asked: string) => object | undefined) => void;

/**
 * Loads the modules of the command that the build changed to CommonJS, each once and when it is first asked for. A module
 * that imports one that is still loading gets what that has so far.
 */
export function makeLoader(
  textOf: (name: string) => string,
  { run }: CompiledCode,
): (name: string) => object {
  const modules = new Map<string, Module>();
  function load(name: string): object {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module: Module = { exports: {} };
    modules.set(name, module);
    (run(name, textOf(name)) as Made)(module, module.exports, (asked) =>
      asked.startsWith("./") ? load(asked.slice("./".length)) : process.getBuiltinModule(asked),
    );
    return module.exports;
  }
  return load;
}
