import { describe, expect, it } from "vitest";
import { ambiguitiesIn } from "./glossary.js";
import { readSource, readSources } from "./imports.js";

const sources = readSources("src");

describe("the names of types", () => {
  it("mean one thing each, and the words of the design stay in their folders", () => {
    expect(ambiguitiesIn(sources)).toEqual([]);
  });
});

describe("the glossary finds", () => {
  const found = (path: string, text: string) => ambiguitiesIn([...sources, readSource(path, text)]);

  it.each([
    [
      "an interface that another folder exports",
      "tenant/planted.ts",
      "export interface Change {}",
      "Change means two things: it is declared in diff/change.ts and tenant/planted.ts",
    ],
    [
      "a type alias that another folder exports",
      "cli/planted.ts",
      "export type Snapshot = string;",
      "Snapshot means two things: it is declared in state/snapshot.ts and cli/planted.ts",
    ],
    [
      "a class that another folder exports",
      "report/planted.ts",
      "export class Kind {}",
      "Kind means two things: it is declared in kinds/kind.ts and report/planted.ts",
    ],
    [
      "a type that another file of the same folder exports",
      "plan/planted.ts",
      "export interface Step {}",
      "Step means two things: it is declared in plan/step.ts and plan/planted.ts",
    ],
    [
      "a word of the design outside its folder, exported or not",
      "tenant/planted.ts",
      "interface Step {}",
      "tenant/planted.ts: declares Step, a word of the design that belongs to plan/",
    ],
    [
      "a second word for a diagnostic",
      "manifest/planted.ts",
      "type Fault = string;",
      "manifest/planted.ts: declares Fault; the word is Diagnostic",
    ],
    [
      "a name of the language",
      "plan/planted.ts",
      "export type Record = string;",
      "plan/planted.ts: declares Record, a name of the language",
    ],
  ])("%s", (_, path, text, says) => {
    expect(found(path, text)).toContain(says);
  });

  it.each([
    ["a private type of a common name", "tenant/planted.ts", "interface Change {}"],
    ["a function", "tenant/planted.ts", "export function Change(): void {}"],
    ["a re-export", "cli/planted.ts", 'export type { Change } from "../diff/change.js";'],
    ["the sandbox, which uses the words of the service", "sandbox/planted.ts", "export interface Change {}"],
  ])("nothing in %s", (_, path, text) => {
    expect(found(path, text).filter((one) => one.includes("planted"))).toEqual([]);
  });
});
