import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { credentialsFrom } from "../../../src/cli/credentials/service.js";
import { environmentOf } from "../../../src/cli/settings/project.js";
import { stateIdentity } from "../../../src/state/stores.js";
import { cases } from "../../fakes/cases.js";

const ENDS = ["TOKEN", "CLIENT_ID", "CLIENT_SECRET", "OIDC_TOKEN", "OIDC_TOKEN_FILE", "STATE_KEY"];
const NAMES = [
  ...ENDS.map((end) => `REMIT_${end}`),
  ...ENDS.map((end) => `REMIT_CONTEXT_EU_WEST_${end}`),
  ...ENDS.map((end) => `REMIT_CONTEXT_US_${end}`),
  "CONDUCTORONE_ACCESS_TOKEN",
  "CONDUCTORONE_CLIENT_ID",
  "CONDUCTORONE_CLIENT_SECRET",
  "CONE_CLIENT_ID",
  "CONE_CLIENT_SECRET",
];
/** Each variable has its own name as its value, so that each part of the credentials says where it comes from. */
const environments = fc
  .subarray(NAMES)
  .map((names) => Object.fromEntries(names.map((name) => [name, `of-${name}`])));

/** The values that credentials are made of. */
function partsOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { value } = credentialsFrom(env, "https://a.example");
  if (value === null) return [];
  if (value.as === "bearer") return [value.token.reveal()];
  if (value.as === "client") return [value.id, value.secret.reveal()];
  if (value.identity.as === "file") return [value.id, value.identity.shown];
  return [value.id, value.identity.as === "token" ? value.identity.token.reveal() : ""];
}

describe("the environment of a context", () => {
  it("never gives it a credential or a key of another context", () => {
    fc.assert(
      fc.property(environments, fc.constantFrom("alone", "among several"), (env, chosen) => {
        const seen = environmentOf(env, "eu-west", chosen);
        const used = [...partsOf(seen), seen.REMIT_STATE_KEY ?? ""];
        expect(used.filter((text) => text.includes("CONTEXT_US"))).toEqual([]);
        if (chosen === "alone") return;
        expect(used.filter((text) => text !== "" && !text.includes("CONTEXT_EU_WEST"))).toEqual([]);
      }),
      { numRuns: cases(150) },
    );
  });

  it("never mixes its own client with a bearer token or a secret of all contexts", () => {
    fc.assert(
      fc.property(environments, (env) => {
        const parts = partsOf(environmentOf(env, "eu-west", "alone"));
        const isOwn = (text: string) =>
          text.includes("CONTEXT_EU_WEST") || text.startsWith("of-REMIT_OIDC_TOKEN");
        const hasOwn = ENDS.slice(0, -1).some((end) => `REMIT_CONTEXT_EU_WEST_${end}` in env);
        if (hasOwn) expect(parts.every(isOwn)).toBe(true);
      }),
      { numRuns: cases(150) },
    );
  });

  it("is the given one for a project without contexts", () => {
    const env = { REMIT_TOKEN: "a", REMIT_CONTEXT_US_TOKEN: "b" };
    expect(environmentOf(env, null, "alone")).toBe(env);
  });
});

describe("the state that an address leads to", () => {
  const of = (text: string, server = "https://a.example", context = "a") =>
    stateIdentity(text, "/project", { server, context });

  it.each([
    ["a.json", "./a.json"],
    ["x/../a.json", "/project/a.json"],
    ["git:#a", "git:origin#a"],
    ["postgres://u:p@db.example/remit?state=a", "postgres://db.example:5432/remit?state=a"],
    ["https://h.example/a", "https://h.example:443/a"],
  ])("is one for %s and %s", (one, other) => {
    expect(of(one)).toBe(of(other));
  });

  it.each([
    ["git:", "https://a.example", "https://b.example"],
    ["postgres://db.example/remit", "https://a.example", "https://b.example"],
  ])("is another for each context where %s names none", (address, first, second) => {
    expect(of(address, first, "a")).not.toBe(of(address, second, "b"));
  });
});
