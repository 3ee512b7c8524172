import { execFileSync } from "node:child_process";
import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LARGEST } from "../../src/manifest/fileDiagnostics.js";
import { readSources } from "../../src/manifest/files.js";
import { folder } from "./folder.js";

async function read(cwd: string, ...paths: string[]) {
  const { value, diagnostics } = await readSources({ paths, cwd });
  return { files: value.map(({ file }) => file), codes: diagnostics.map(({ code }) => code), diagnostics };
}

describe("a folder", () => {
  it("gives every .yaml, .yml and .json below it, by code unit", async () => {
    const cwd = folder({
      "b/x.yml": "",
      "a.yaml": "",
      "B.json": "",
      "b/Z.YAML": "",
      "note.md": "",
      "ä.yaml": "",
    });
    expect((await read(cwd, ".")).files).toEqual(["B.json", "a.yaml", "b/Z.YAML", "b/x.yml", "ä.yaml"]);
  });

  it("gives a file once, however often it is reached", async () => {
    const cwd = folder({ "a/x.yaml": "" });
    symlinkSync("x.yaml", join(cwd, "a/link.yaml"));
    expect((await read(cwd, "a", ".", "a/x.yaml", "./a/../a/x.yaml")).files).toHaveLength(1);
  });

  it("leaves out what is never a manifest's place", async () => {
    const cwd = folder({
      "node_modules/p/x.yaml": "",
      ".git/x.yaml": "",
      ".remit/state.json": "",
      "x.yaml": "",
    });
    expect((await read(cwd, ".")).files).toEqual(["x.yaml"]);
  });

  it("is left where a symbolic link leads back into it", async () => {
    const cwd = folder({ "a/x.yaml": "" });
    symlinkSync("..", join(cwd, "a/up"));
    symlinkSync(".", join(cwd, "a/here"));
    expect((await read(cwd, ".")).files).toEqual(["a/x.yaml"]);
  });

  it("is entered though its name ends like a file's", async () => {
    const cwd = folder({ "team.yaml/x.yaml": "" });
    expect((await read(cwd, "team.yaml")).files).toEqual(["team.yaml/x.yaml"]);
  });

  it("without a manifest is an error", async () => {
    const { diagnostics } = await read(folder({ "readme.md": "", "a/readme.md": "" }), ".", "a");
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "No manifests found in this folder",
      "No manifests found in ./a",
    ]);
    expect(diagnostics.filter((one) => one.code !== "manifest/none" || "span" in one)).toEqual([]);
  });

  it("holds 2,000 files without a fault", async () => {
    const cwd = folder(
      Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`f/${at}.yaml`, "a: 1\n"])),
    );
    expect((await read(cwd, "f")).files).toHaveLength(2000);
  });
});

describe(".remitignore", () => {
  it.each([
    { what: "a name", rules: "x.yaml", left: ["a/y.yaml", "y.yaml"] },
    { what: "a folder", rules: "a/", left: ["x.yaml", "y.yaml"] },
    { what: "a path from its own folder", rules: "/x.yaml", left: ["a/x.yaml", "a/y.yaml", "y.yaml"] },
    { what: "all but one", rules: "*.yaml\n!/y.yaml", left: ["y.yaml"] },
    {
      what: "comments and blanks",
      rules: "# x.yaml\n\n",
      left: ["a/x.yaml", "a/y.yaml", "x.yaml", "y.yaml"],
    },
  ])("leaves out $what", async ({ rules, left }) => {
    const cwd = folder({ "x.yaml": "", "y.yaml": "", "a/x.yaml": "", "a/y.yaml": "", ".remitignore": rules });
    expect((await read(cwd, ".")).files).toEqual(left);
  });

  it("of an inner folder decides before that of an outer one", async () => {
    const cwd = folder({
      ".remitignore": "x.yaml",
      "a/.remitignore": "!x.yaml",
      "a/x.yaml": "",
      "x.yaml": "",
    });
    expect((await read(cwd, ".")).files).toEqual(["a/x.yaml"]);
  });

  it("of the project holds in a folder below it that is named", async () => {
    const cwd = folder({
      ".remitignore": "drafts/\nx.yaml",
      "a/x.yaml": "",
      "a/y.yaml": "",
      "a/drafts/z.yaml": "",
    });
    expect((await read(cwd, "a")).files).toEqual(["a/y.yaml"]);
  });

  it("does not hold what is named back", async () => {
    const cwd = folder({ ".remitignore": "drafts/", "drafts/x.yaml": "" });
    expect((await read(cwd, "drafts")).files).toEqual(["drafts/x.yaml"]);
    expect((await read(cwd, "drafts/x.yaml")).files).toEqual(["drafts/x.yaml"]);
  });
});

describe("what cannot be read is called by its name, and has no place in it:", () => {
  it("a path that does not exist", async () => {
    const { diagnostics } = await read(folder({}), "nowhere.yaml");
    expect(diagnostics).toEqual([
      {
        code: "file/missing",
        severity: "error",
        message: "nowhere.yaml does not exist",
        hint: "Check the path. It is relative to the working directory.",
      },
    ]);
  });

  it("a path whose name is nearly that of a file beside it", async () => {
    const { diagnostics } = await read(folder({ "a/teams.yaml": "", "other.yaml": "" }), "a/temas.yaml");
    expect(diagnostics[0]?.hint).toBe("Did you mean teams.yaml?");
  });

  it("a link to nowhere", async () => {
    const cwd = folder({ "x.yaml": "" });
    symlinkSync("gone.yaml", join(cwd, "link.yaml"));
    const { files, diagnostics } = await read(cwd, ".");
    expect(files).toEqual(["x.yaml"]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["file/missing"]);
    expect(diagnostics[0]?.message).toBe("link.yaml is a symbolic link to a file that does not exist");
  });

  it("links that lead in a circle", async () => {
    const cwd = folder({});
    symlinkSync("b.yaml", join(cwd, "a.yaml"));
    symlinkSync("a.yaml", join(cwd, "b.yaml"));
    expect((await read(cwd, ".")).codes).toEqual(["file/unreadable", "file/unreadable"]);
    expect((await read(cwd, "a.yaml")).codes).toEqual(["file/unreadable"]);
  });

  it.skipIf(process.getuid?.() === 0)("a file and a folder without permission", async () => {
    const cwd = folder({ "x.yaml": "", "closed/y.yaml": "" });
    chmodSync(join(cwd, "x.yaml"), 0);
    chmodSync(join(cwd, "closed"), 0);
    expect((await read(cwd, ".")).codes).toEqual(["file/unreadable", "file/unreadable"]);
    chmodSync(join(cwd, "closed"), 0o700);
  });

  it("a pipe, which is not waited for", async () => {
    const cwd = folder({});
    execFileSync("mkfifo", [join(cwd, "pipe.yaml")]);
    expect((await read(cwd, ".")).codes).toEqual(["file/not-a-file"]);
  });

  it("a file that is too large", async () => {
    const cwd = folder({ "x.yaml": new Uint8Array(LARGEST + 1).fill(0x20) });
    expect((await read(cwd, ".")).codes).toEqual(["file/too-large"]);
  });

  it("a file that is not UTF-8, with the line of the first bad byte", async () => {
    const cwd = folder({ "x.yaml": Buffer.from([0x61, 0x3a, 0x0a, 0x62, 0xe4, 0x63]) });
    const { diagnostics } = await read(cwd, ".");
    expect(diagnostics).toMatchObject([{ code: "file/not-utf8", span: { start: { line: 2, column: 2 } } }]);
  });

  it("a file that is UTF-16", async () => {
    const cwd = folder({ "x.yaml": Buffer.from("\ufeffa: 1\n", "utf16le") });
    expect((await read(cwd, ".")).diagnostics[0]?.hint).toContain("UTF-16");
  });
});

describe("a text", () => {
  it("loses its byte order mark", async () => {
    const { value } = await readSources({ paths: ["x.yaml"], cwd: folder({ "x.yaml": "\ufeffa: 1" }) });
    expect(value[0]?.text).toBe("a: 1");
  });

  it("may hold the replacement character itself", async () => {
    const { value } = await readSources({ paths: ["x.yaml"], cwd: folder({ "x.yaml": "a: \ufffd" }) });
    expect(value[0]?.text).toBe("a: \ufffd");
  });

  it("comes from standard input where the path is -", async () => {
    const stdin = async () => new TextEncoder().encode("a: 1");
    const { value } = await readSources({ paths: ["-"], cwd: folder({}), stdin });
    expect(value).toMatchObject([{ file: "-", text: "a: 1", named: true }]);
  });

  it("from standard input is bounded and checked like a file's", async () => {
    const cwd = folder({});
    const large = await readSources({ paths: ["-"], cwd, stdin: async () => new Uint8Array(LARGEST + 1) });
    const bad = await readSources({ paths: ["-"], cwd, stdin: async () => new Uint8Array([0xff]) });
    expect([...large.diagnostics, ...bad.diagnostics].map(({ code }) => code)).toEqual([
      "file/too-large",
      "file/not-utf8",
    ]);
  });
});
