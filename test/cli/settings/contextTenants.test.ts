import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serverOf, tenantsOf } from "../../../src/cli/settings/contextTenants.js";
import { projectFor } from "../../../src/cli/settings/project.js";
import { type ProjectFile, projectFileFrom } from "../../../src/cli/settings/projectFile.js";
import { contextFaults, readProject } from "../../../src/cli/settings/projectOnDisk.js";
import { processWorld } from "../../../src/cli/world/process.js";
import { isObject, type JsonObject } from "../../../src/model/json.js";
import { variablesOf } from "../../../src/model/variables.js";
import { cases } from "../../fakes/cases.js";

const ROOT = "/project";

/** A project file of these contexts. */
function fileOf(contexts: JsonObject): ProjectFile {
  const text = JSON.stringify({ contexts });
  const read = projectFileFrom({ file: "remit.yaml", text, named: true }, () => []);
  if (read.value === null) throw new Error("the project file cannot be read");
  return read.value;
}

/** The same file; it counts how often each of its contexts is read. */
function counted(file: ProjectFile) {
  const reads = new Map<string, number>();
  const { contexts } = file.value;
  if (!isObject(contexts)) throw new Error("the project file has no contexts");
  const watched = new Proxy(contexts, {
    get(target, name) {
      reads.set(String(name), (reads.get(String(name)) ?? 0) + 1);
      return Reflect.get(target, name);
    },
  });
  return { reads, file: { ...file, value: { ...file.value, contexts: watched } } };
}

describe("the settings of a context", () => {
  it.each([
    ["one context after another", 3],
    ["one context after another", 300],
  ])(
    "are resolved twice where a run looks at %s, of %i: beside the others, and as its own",
    async (_, count) => {
      const contexts = Object.fromEntries(
        Array.from({ length: count }, (_one, at) => [`t${at}`, { server: `https://t${at}.example` }]),
      );
      const { reads, file } = counted(fileOf(contexts));
      const world = { ...processWorld(), cwd: ROOT, env: {} };
      const disk = await readProject(world, {}, "all");
      const tenants = tenantsOf(file, ROOT);
      expect(contextFaults(file, tenants)).toEqual([]);
      const names = [...tenants.keys()];
      const whole = {
        ...disk,
        own: { value: file, diagnostics: [] },
        inForce: file,
        tenants,
        contexts: { own: names, inForce: names },
      };
      for (const each of names) projectFor(whole, world, {}, { each });
      expect([...new Set(reads.values())]).toEqual([2]);
      expect(reads.size).toBe(count);
    },
  );

  it("are resolved once where a run looks at another context alone", async () => {
    const { reads, file } = counted(fileOf({ one: { server: "sandbox" }, two: {}, three: {} }));
    contextFaults(file, tenantsOf(file, ROOT));
    expect(Object.fromEntries(reads)).toEqual({ one: 1, two: 1, three: 1 });
  });
});

describe("a server as it compares", () => {
  it("is what a browser would call, without its last slash", () => {
    const hosts = fc.stringMatching(
      /^(?:[abxn019]{1,3}(?:-{0,2}[an0]{1,2})?\.){0,3}(?:[abe]{1,3}|[x019]{1,3})\/?$/,
    );
    fc.assert(
      fc.property(hosts, (host) => {
        const text = `https://${host}`;
        fc.pre(URL.canParse(text));
        expect(serverOf(text)).toBe(new URL(text).href.replace(/\/$/, ""));
      }),
      { numRuns: cases(300) },
    );
  });
});

describe("contexts beside each other", () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-c](-(oidc|client))?$/), { minLength: 2, maxLength: 8 });
  const settings = fc.record({
    server: fc.constantFrom("https://a.example", "https://A.example/", "https://b.example", "sandbox"),
    state: fc.constantFrom("git:#a", "git:origin#a", "git:#b", "a.json", "./a.json", "s3://b/c"),
  });
  const written = names.chain((all) =>
    fc
      .tuple(...all.map(() => settings))
      .map((each) => Object.fromEntries(all.map((name, at) => [name, each[at] as JsonObject]))),
  );

  it("are refused exactly where two of them have one server, one state or one variable", () => {
    fc.assert(
      fc.property(written, (contexts) => {
        const file = fileOf(contexts);
        const tenants = [...tenantsOf(file, ROOT).values()];
        const shares = tenants.filter((one, at) =>
          tenants.slice(0, at).some((other) => {
            const theirs = variablesOf(other.context).map(({ name }) => name);
            return (
              one.is.state === other.is.state ||
              (one.is.server !== null && one.is.server === other.is.server) ||
              variablesOf(one.context).some(({ name }) => theirs.includes(name))
            );
          }),
        );
        const faults = contextFaults(file, tenantsOf(file, ROOT));
        const refused = tenants.filter(({ context }) =>
          faults.some(({ message }) => / and (\S+) /.exec(message)?.[1] === context),
        );
        expect(refused).toEqual(shares);
      }),
      { numRuns: cases(300) },
    );
  });
});
