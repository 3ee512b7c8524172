import fc from "fast-check";
import { expect, it } from "vitest";
import { cases } from "../fakes/cases.js";
import { runInside } from "../fakes/inside.js";
import { folder } from "../manifest/folder.js";

/** A word that stands in each password: no output of remit has it. */
const WORD = "hunter";

/** What may stand around that word: marks at which a reader of addresses stops too early. */
const anyPassword = fc
  .tuple(
    fc.constantFrom("", "a", "1", "/", "#", "?", "@", ":", "%", "[", " "),
    fc.constantFrom("", "/", "#x", "?", "@", ":"),
  )
  .map(([before, after]) => `${before}${WORD}${after}`);

/** An address with a user and a password, also one that cannot be used. */
const anyAddress = fc
  .tuple(
    fc.constantFrom("https:", "http:", "postgres:", "s3:", "git:https:", "git:ftp:", "ftp:", ""),
    anyPassword,
    fc.constantFrom(
      "db.example.com/remit",
      "db.example.com:x/remit",
      "",
      "db.example.com/org/repo#name",
      "[::1",
    ),
  )
  .map(([scheme, password, rest]) => `${scheme}//user:${password}@${rest}`);

const COMMANDS: readonly (readonly string[])[] = [
  ["config"],
  ["config", "--format", "json"],
  ["contexts", "list"],
  ["contexts", "list", "--format", "json"],
  ["contexts", "list", "--format", "kubernetes", "--source", "image"],
  ["validate"],
  ["plan", "--offline"],
  ["state", "list"],
  ["state", "stores"],
  ["state", "compact"],
];

/** Where an address can stand: `remit.yaml` and the variables of a run. */
const PLACES: Readonly<
  Record<string, (address: string) => { readonly file: object; readonly env: Record<string, string> }>
> = {
  state: (address) => ({ file: { server: "sandbox", state: address }, env: {} }),
  "state of a context": (address) => ({
    file: { contexts: { eu: { server: "sandbox", state: address } } },
    env: {},
  }),
  server: (address) => ({ file: { server: address }, env: {} }),
  "server of a context": (address) => ({ file: { contexts: { eu: { server: address } } }, env: {} }),
  REMIT_STATE: (address) => ({ file: { server: "sandbox" }, env: { REMIT_STATE: address } }),
  REMIT_SERVER: (address) => ({ file: {}, env: { REMIT_SERVER: address } }),
  AWS_ENDPOINT_URL_S3: (address) => ({
    file: { server: "sandbox", state: "s3://acme/state.json" },
    env: { AWS_ENDPOINT_URL_S3: address, AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" },
  }),
  HTTPS_PROXY: (address) => ({
    file: { server: "https://127.0.0.2:9" },
    env: { HTTPS_PROXY: address, REMIT_TOKEN: "t" },
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: (address) => ({
    file: { server: "sandbox" },
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: address },
  }),
};

it.each(Object.keys(PLACES))(
  "no command prints the password of an address, and none is a mistake of remit: %s",
  { timeout: 120_000 },
  async (place) => {
    const anyRun = fc.record({ address: anyAddress, argv: fc.constantFrom(...COMMANDS) });
    await fc.assert(
      fc.asyncProperty(anyRun, async ({ address, argv }) => {
        const { file, env } = PLACES[place]?.(address) ?? { file: {}, env: {} };
        const cwd = folder({ "remit.yaml": JSON.stringify(file) });
        const { stdout, stderr } = await runInside(argv, { cwd, env: { HOME: cwd, ...env } });
        expect(`${stdout}${stderr}`).not.toContain(WORD);
        expect(stderr).not.toContain("remit made a mistake");
      }),
      { numRuns: cases(5, 40) },
    );
  },
);
