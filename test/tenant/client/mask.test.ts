import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Secret } from "../../../src/model/secret.js";
import { makeMask } from "../../../src/tenant/client/mask.js";
import { HIDDEN_WAYS, readable, WRITTEN } from "../../fakes/echo.js";

const WAYS = { ...WRITTEN, ...HIDDEN_WAYS };
const SECRETS = {
  "an opaque token": "kR7_x-Zq93bV.aa0QpLm",
  "a password of signs": 'p%&ß "q+/=?<\\>',
  "a short word": "s3am",
  "a long token": Array.from({ length: 40 }, (_, part) => (part * 7919 + 104_729).toString(36)).join("."),
};

describe.each(Object.entries(SECRETS))("%s", (_, secret) => {
  const mask = makeMask([new Secret(secret)]);

  test.each(Object.entries(WAYS))("could be read %s", (_way, write) => {
    const told = `it said ${write(`ab${secret} and more`)}!`;
    expect(readable(told, [secret], secret.length)).toEqual([secret]);
  });

  test.each(Object.entries(WAYS))("is covered %s, wherever it stands", (_way, write) => {
    for (const before of ["", "a", "ab", "Bearer "]) {
      const told = mask.cover(`it said ${write(`${before}${secret} and more`)}!`);
      expect(told).toContain("it said ");
      expect(told).toContain("(secret)");
      expect(readable(told, [secret])).toEqual([]);
    }
  });
});

test("a secret that was cut off is covered as far as it goes", () => {
  const mask = makeMask([new Secret("kR7_x-Zq93bVaa0QpLm")]);
  expect(mask.cover("bad token kR7_x-Zq93b… (cut)")).toBe("bad token (secret)… (cut)");
  expect(mask.cover("bad token …Vaa0QpLm")).toBe("bad token …(secret)");
});

test("secrets side by side are one, and what stands between others stays", () => {
  const mask = makeMask([new Secret("first-one-of-all"), new Secret("second-of-them")]);
  expect(mask.cover("first-one-of-allsecond-of-them, first-one-of-all")).toBe("(secret), (secret)");
});

test("what came later is covered from then on", () => {
  const mask = makeMask();
  expect(mask.cover("issued-token")).toBe("issued-token");
  const secret = new Secret("issued-token");
  expect(mask.hide(secret)).toBe(secret);
  expect(mask.cover("an issued-token")).toBe("an (secret)");
});

test.each(["", "x", "abc"])("a word as short as %j covers nothing: it stands in every text", (word) => {
  const text = "an expired abc of words, x and y";
  expect(makeMask([new Secret(word)]).cover(text)).toBe(text);
});

test("a text is changed by covering alone, whatever the secret", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (secret, text) => {
      const covered = makeMask([new Secret(secret)]).cover(text);
      expect(covered === text || covered.includes("(secret)")).toBe(true);
      expect([...secret].length < 8 || !covered.includes(secret)).toBe(true);
    }),
  );
});
