// Makes the artefacts of a release from this checkout, which is built: the npm package, the executable, the image, and for
// each what is in it. The arguments after the flags are the Debian packages of the image.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { sbomProblems } from "../sbom.mjs";
import { archive } from "./archive.mjs";
import { debianComponent, nodeComponent, withComponents } from "./contents.mjs";
import debian from "./debian.json" with { type: "json" };
import { makeExecutable } from "./executable.mjs";
import { makeImage } from "./image.mjs";
import pins from "./pins.json" with { type: "json" };

const root = fileURLToPath(new URL("../..", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: "string", default: "" },
    "node-licence": { type: "string", default: "" },
    into: { type: "string", default: "" },
  },
});
const { node, into, "node-licence": nodeLicence } = values;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const name = `remit-${version}-linux-x64`;
process.umask(0o022);
mkdirSync(into, { recursive: true });
const work = mkdtempSync(join(tmpdir(), "remit-artefacts-"));
try {
  const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", into];
  execFileSync("npm", pack, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });

  const shipped = join(work, "shipped");
  mkdirSync(shipped);
  cpSync(join(root, "LICENSE"), join(shipped, "LICENSE"));
  const notices = [
    readFileSync(join(root, "THIRD_PARTY_NOTICES"), "utf8"),
    `${"-".repeat(80)}\n\nNode.js ${pins.node.version}\n\n`,
    readFileSync(nodeLicence, "utf8"),
  ];
  writeFileSync(join(shipped, "THIRD_PARTY_NOTICES"), notices.join(""));
  const executable = join(shipped, "remit");
  await makeExecutable({
    root,
    dist: join(root, "dist"),
    node,
    work: join(work, "executable"),
    file: executable,
  });
  // Who has only the executable also needs the documents, and the examples that they run.
  const readable = ["README.md", "AGENTS.md", "CHANGELOG.md", "docs", "examples", "schemas"];
  execFileSync("tar", [
    "-xzf",
    join(into, `remit-cli-${version}.tgz`),
    ...["-C", shipped, "--strip-components=1"],
    ...readable.map((one) => `package/${one}`),
  ]);
  archive(shipped, join(work, "remit.tar"));
  writeFileSync(join(into, `${name}.tar.gz`), gzipSync(readFileSync(join(work, "remit.tar"))));

  makeImage({
    packages: positionals,
    executable,
    shipped: ["LICENSE", "THIRD_PARTY_NOTICES"].map((file) => join(shipped, file)),
    version,
    commit: git("rev-parse", "HEAD"),
    created: new Date(git("log", "-1", "--format=%cI")).toISOString(),
    node,
    work: join(work, "image"),
    file: join(into, `${name}.image.tar`),
  });

  const bill = readFileSync(join(root, "sbom.cdx.json"), "utf8");
  const withNode = withComponents(bill, [nodeComponent(pins.node)]);
  const withDebian = withComponents(withNode, debian.packages.map(debianComponent));
  for (const [file, text] of [
    [`remit-cli-${version}.tgz`, bill],
    [`${name}.tar.gz`, withNode],
    [`${name}.image.tar`, withDebian],
  ]) {
    const problems = await sbomProblems(text);
    if (problems !== null)
      throw new Error(`the SBOM of ${file} breaks its schema: ${JSON.stringify(problems)}`);
    writeFileSync(join(into, `${file}.cdx.json`), text ?? "");
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
