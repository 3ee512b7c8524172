import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { cases } from "../fakes/cases.js";
import { makeProjectCheckout, type ProjectCheckout } from "../fakes/projectCheckout.js";

let checkout: ProjectCheckout;
beforeAll(() => {
  checkout = makeProjectCheckout("examples/quickstart");
  return () => checkout.close();
});

const set = async (value: object, ...argv: readonly string[]) => {
  checkout.write("remit.yaml", stringify({ server: "sandbox", ...value }));
  return checkout.remit(...argv);
};

/** What programs run, or read as their configuration. */
const READ = [
  ...[".git/hooks/pre-push", ".github/workflows/x.yml", ".husky/pre-commit", ".vscode/tasks.json"],
  ...[".vscode/state.json", ".npmrc", ".envrc", "package.json", "package-lock.json", "tsconfig.json"],
  ...["node_modules/x/index.js", "node_modules/x/state.json", "Makefile", "Dockerfile", ".gitlab-ci.yml"],
  ...["remit.yaml", "manifests/x.yaml", "state.yaml", "restate.json", ".state.json", ".remit/.gitignore"],
];

describe("the state that a project file names", () => {
  it("is at no place that another program runs or reads", async () => {
    const folders = fc.array(fc.constantFrom("sub", "a b", ".remit", ".."), { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...READ), folders, async (path, above) => {
        const state = ["x", "y", ...above, path].join("/");
        for (const value of [path, `./${path}`, state]) {
          const { code, stderr } = await set({ state: value }, "state", "list");
          expect([value, code, stderr]).toEqual([
            value,
            5,
            expect.stringMatching(/state\/place|file\/outside/),
          ]);
        }
      }),
      { numRuns: cases(40) },
    );
  });

  it.each([".remit/state.json", ".remit/prod.json", "state.json", "kept/prod-state.json", "a.state.json"])(
    "may be %s",
    async (state) => {
      const { stderr } = await set({ state }, "state", "list");
      expect(stderr).not.toContain("error[");
    },
  );

  it("may be anywhere where the operator names it", async () => {
    const { stderr } = await set({}, "state", "list", "--state", "other.json");
    expect(stderr).not.toContain("error[");
  });
});

describe("two contexts", () => {
  it.each([
    ["http://localhost:8080", "http://127.0.0.1:8080"],
    ["http://[::1]:8080/", "http://localhost:8080"],
    ["https://a.example", "https://A.example.:443/"],
  ])("are of one server where they name %s and %s", async (one, other) => {
    const contexts = { a: { server: one }, b: { server: other } };
    const { stdout } = await set({ contexts }, "validate");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("the contexts a and b have one server");
  });

  it("name the variable that they read, where its server is not confirmed", async () => {
    const contexts = { eu: { server: "https://evil.example" } };
    checkout.write("remit.yaml", stringify({ contexts }));
    const env = { REMIT_CONTEXT_EU_TOKEN: "t" };
    const { stderr } = await checkout.remitIn({ env }, "plan", "--context", "eu");
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("so remit does not send REMIT_CONTEXT_EU_TOKEN there");
  });
});
