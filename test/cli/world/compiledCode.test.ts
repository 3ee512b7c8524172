import { chmodSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { keepCompiled } from "../../../src/cli/world/compiledCode.js";

const root = mkdtempSync(join(tmpdir(), "remit-compiled-"));
let homes = 0;

function home(): string {
  homes += 1;
  const folder = join(root, `home-${homes}`);
  mkdirSync(folder);
  return folder;
}

function keptIn(env: NodeJS.ProcessEnv): readonly string[] {
  const folders: string[] = [];
  keepCompiled(env, { enableCompileCache: (folder) => folders.push(folder) });
  return folders;
}

it("is kept among the caches of the user, where no one else may write", () => {
  const HOME = home();
  expect(keptIn({ HOME })).toEqual([join(HOME, ".cache", "remit")]);
  expect(statSync(join(HOME, ".cache", "remit")).mode & 0o777).toBe(0o700);
  expect(keptIn({ HOME, XDG_CACHE_HOME: join(HOME, "caches") })).toEqual([join(HOME, "caches", "remit")]);
  expect(keptIn({ HOME, XDG_CACHE_HOME: "caches" })).toEqual([join(HOME, ".cache", "remit")]);
});

it("is not kept in a pipeline, without a home, or where the user named another folder", () => {
  const HOME = home();
  expect(keptIn({ HOME, CI: "true" })).toEqual([]);
  expect(keptIn({})).toEqual([]);
  expect(keptIn({ HOME: "home" })).toEqual([]);
  expect(keptIn({ HOME, NODE_COMPILE_CACHE: "/elsewhere" })).toEqual([]);
});

it("is not kept in a folder that others may write to, or that cannot be made", () => {
  const HOME = home();
  mkdirSync(join(HOME, ".cache", "remit"), { recursive: true });
  chmodSync(join(HOME, ".cache", "remit"), 0o777);
  expect(keptIn({ HOME })).toEqual([]);
  const file = join(home(), "file");
  writeFileSync(file, "");
  expect(keptIn({ HOME: file })).toEqual([]);
});

it("is not kept by a version of node that cannot", () => {
  const HOME = home();
  keepCompiled({ HOME }, {});
  expect(() => statSync(join(HOME, ".cache"))).toThrow("ENOENT");
});
