import { describe, expect, it } from "vitest";
import { resolveSettings } from "../../../src/cli/settings/whoDecides.js";

const SPAN = { file: "remit.yaml", start: { line: 3, column: 1 }, end: { line: 3, column: 2 } };

const file = (value: Record<string, string | number>) => ({
  name: "remit.yaml",
  value,
  placeOf: () => ({ span: SPAN }),
});

describe("a setting", () => {
  it.each<[string, Parameters<typeof resolveSettings>, number, string]>([
    [
      "a flag",
      [{ concurrency: 1 }, { REMIT_CONCURRENCY: "2" }, file({ concurrency: 3 })],
      1,
      "--concurrency",
    ],
    ["a variable", [{}, { REMIT_CONCURRENCY: "2" }, file({ concurrency: 3 })], 2, "REMIT_CONCURRENCY"],
    ["the project file", [{}, {}, file({ concurrency: 3 })], 3, "remit.yaml:3"],
    [
      "the project file, beside an empty variable",
      [{}, { REMIT_CONCURRENCY: "" }, file({ concurrency: 3 })],
      3,
      "remit.yaml:3",
    ],
    ["the default", [{}, {}, null], 10, "default"],
  ])("comes from %s", (_, given, value, from) => {
    expect(resolveSettings(...given).settings.concurrency).toMatchObject({ value, from });
  });

  it.each([
    [
      { REMIT_SERVER: "https://ours", CONDUCTORONE_SERVER_URL: "https://theirs" },
      "https://ours",
      "REMIT_SERVER",
    ],
    [{ CONDUCTORONE_SERVER_URL: "https://theirs" }, "https://theirs", "CONDUCTORONE_SERVER_URL"],
    [
      { CONDUCTORONE_TENANT_DOMAIN: "larkspur" },
      "https://larkspur.conductor.one",
      "CONDUCTORONE_TENANT_DOMAIN",
    ],
    [
      { CONDUCTORONE_TENANT_DOMAIN: "id.larkspur.example" },
      "https://id.larkspur.example",
      "CONDUCTORONE_TENANT_DOMAIN",
    ],
  ])("of the server comes from the vendor's variables after remit's: %o", (env, value, from) => {
    expect(resolveSettings({}, env, null).settings.server).toMatchObject({ value, from });
  });

  it.each(["REMIT_CONCURRENCY", "REMIT_RETRIES", "REMIT_REQUEST_TIMEOUT", "REMIT_INTERFACE"])(
    "that %s gives in another form is an error, not a guess",
    (name) => {
      expect(resolveSettings({}, { [name]: "soon" }, null).badVariables).toMatchObject([{ name }]);
    },
  );
});
