import { describe, expect, expectTypeOf, it } from "vitest";
import { render, say, type Values, type ValuesOf } from "../../src/words/say.js";
import type { Saying, Sentence } from "../../src/words/saying.js";
import { SECTIONS } from "../../src/words/sections.js";

type Text = Values<"{x}">["x"];

describe("the values of a sentence", () => {
  it("are named by its places, each with the type that it asks for", () => {
    expectTypeOf<Values<"{file} has {lines:line}">>().toEqualTypeOf<{
      readonly file: Text;
      readonly lines: number;
    }>();
    expectTypeOf<Values<"{names&} {names?is/are} here">>().toEqualTypeOf<{
      readonly names: readonly Text[];
    }>();
    expectTypeOf<Values<"{count?one/some}">>().toEqualTypeOf<{ readonly count: number }>();
  });

  it("are none where its braces are its own", () => {
    expectTypeOf<Values<"write `{ name: {} }` or `{ {file} }`">>().toEqualTypeOf<{ readonly file: Text }>();
    expectTypeOf<keyof Values<"as in `appId: { name: GitHub }`">>().toBeNever();
  });

  it("are those of a function where a sentence is one", () => {
    expectTypeOf<Values<(values: { readonly at: number }) => string>>().toEqualTypeOf<{
      readonly at: number;
    }>();
  });

  it("are those of the message and those of the hint", () => {
    expectTypeOf<keyof ValuesOf<"manifest/version#newer">>().toEqualTypeOf<"version">();
    // @ts-expect-error the sentence names a file
    expect(() => say("file/not-a-file", {})).toThrow("no value for {file}");
    // @ts-expect-error no row has it
    expect(() => say("file/no-such-code")).toThrow("nothing is said of file/no-such-code");
  });
});

describe("a sentence", () => {
  it.each([
    ["{file} has {lines:line}", { file: "a.yaml", lines: 1 }, "a.yaml has 1 line"],
    ["{entries:entry/entries}", { entries: 2 }, "2 entries"],
    ["{names&} {names?is/are} here", { names: ["a", "b", "c"] }, "a, b and c are here"],
    ["{names|} {names?is/are} here", { names: ["a"] }, "a is here"],
    ["write {names`}", { names: ["a", "b"] }, "write `a`, `b`"],
    ["{names,}: {count?one/some}", { names: ["a", "b"], count: 0 }, "a, b: some"],
    [
      "{address} is called {name!}",
      { address: { kind: "App", name: "x" }, name: 'a "b"' },
      'App/x is called "a \\"b\\""',
    ],
    ["`{ name: {} }` and `{ {file} }`", { file: "f" }, "`{ name: {} }` and `{ f }`"],
  ])("%s", (template, values, text) => {
    expect(render(template, values)).toBe(text);
  });

  it("has a place and a hint of its own where the caller has one", () => {
    const said = say("file/missing#path", { file: "a.yaml" }, { hint: "Did you mean b.yaml?" });
    expect(said).toEqual({
      code: "file/missing",
      severity: "error",
      message: "a.yaml does not exist",
      hint: "Did you mean b.yaml?",
    });
  });
});

describe("the table", () => {
  const sayings: readonly (readonly [string, Sentence])[] = SECTIONS.flatMap(({ rows }) =>
    Object.entries<Saying>(rows).flatMap(([code, row]) => [
      [code, row] as const,
      ...Object.entries(row.cases ?? {}).map(([name, one]) => [`${code}#${name}`, one] as const),
    ]),
  );
  const texts = sayings.flatMap(([key, { message, hint }]) =>
    [message, hint].flatMap((text) => (typeof text === "string" ? [[key, text] as const] : [])),
  );

  it("has no brace that is neither a value's nor the sentence's own", () => {
    const left = texts.map(
      ([key, text]) => [key, text.replaceAll(/\{[a-z]\w*(?:[,&|!`]|[:?][^{}]+)?\}/gi, "")] as const,
    );
    expect(left.filter(([, text]) => /\{\w/.test(text))).toEqual([]);
  });

  it("has its cases in words of their own", () => {
    for (const [key] of sayings) expect(key).toMatch(/^[a-z]+\/[a-z0-9-]+(?:#[a-z][a-zA-Z ]*)?$/);
  });
});
