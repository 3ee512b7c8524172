// The Debian packages of the image, each pinned by version and hash. apt finds and checks them in a folder of its own, so it
// neither needs root nor knows what the machine has installed.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkFetched } from "./checksum.mjs";
import { refusal } from "./refusal.mjs";

const SUITE = "trixie";
/** What the image is made for: git, a shell with the commands of a pipeline's scripts, and what Node's program needs. */
const WANTED = [
  "base-files",
  "bash",
  "ca-certificates",
  "coreutils",
  "dash",
  "git",
  "grep",
  "libstdc++6",
  "sed",
];
/** What these packages ask for and remit never uses: Perl is for git's commands by mail, and the others set packages up. */
const LEFT_OUT = ["debconf", "liberror-perl", "openssl", "openssl-provider-legacy", "perl"];
/** What must be found beside git, in git's version, and only has its manual. */
const NOT_SHIPPED = ["git-man"];
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";

/** @typedef {{ readonly name: string, readonly version: string, readonly architecture: string, readonly sha256: string }} Package */

/**
 * The newest version of every package that the image needs, sorted by name.
 * @param {string} work a folder to work in
 * @returns {readonly Package[]}
 */
export function newestPackages(work) {
  const apt = openApt(work);
  const uris = apt(["install", "--no-install-recommends", "--print-uris", "-qq", ...WANTED]);
  const found = [...uris.matchAll(/^'[^']*' ([^_ ]+)_([^_ ]+)_([^_ ]+)\.deb \d+ /gm)]
    .map(([, name = "", version = "", architecture = ""]) => ({
      name,
      version: decodeURIComponent(version),
      architecture,
    }))
    .filter(({ name }) => !NOT_SHIPPED.includes(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const hashes = hashesOf(apt, found);
  return found.map((one) => ({ ...one, sha256: hashes.get(one.name) ?? "" }));
}

/**
 * Fetches the pinned packages; gives their files in the order of the list.
 * @param {readonly Package[]} packages
 * @param {string} work a folder to work in
 */
export function fetchPackages(packages, work) {
  const apt = openApt(work);
  const into = join(work, "packages");
  mkdirSync(into, { recursive: true });
  const offered = hashesOf(apt, packages);
  const missing = packages.filter(({ name }) => !offered.has(name));
  if (missing.length > 0)
    throw refusal(
      `Debian has other versions now than the image pins: ${missing.map(({ name, version }) => `${name} ${version}`).join(", ")}. Run \`npm run release -- --newest-packages\` and review scripts/release/debian.json.`,
    );
  apt(["download", "-qq", ...packages.map(({ name, version }) => `${name}=${version}`)], into);
  const files = new Map(readdirSync(into).map((file) => [file.split("_")[0] ?? "", join(into, file)]));
  return packages.map(({ name, sha256 }) => {
    const file = files.get(name) ?? "";
    checkFetched({
      name: `the Debian package ${name}`,
      file,
      expected: sha256,
      where: "scripts/release/debian.json",
    });
    return file;
  });
}

/** The hashes that Debian's signed index has for versions of packages, by name; a version that it does not offer is absent. */
function hashesOf(apt, packages) {
  const shown = apt(["show", ...packages.map(({ name }) => name)], undefined, "apt-cache");
  const versions = new Map(packages.map(({ name, version }) => [name, version]));
  const field = (record, name) => new RegExp(`^${name}: (.+)$`, "m").exec(record)?.[1] ?? "";
  return new Map(
    shown
      .split("\n\n")
      .filter((record) => versions.get(field(record, "Package")) === field(record, "Version"))
      .map((record) => [field(record, "Package"), field(record, "SHA256")]),
  );
}

/** Runs apt on an index of its own in a folder, which it reads first. */
function openApt(work) {
  const at = (...path) => join(work, "apt", ...path);
  for (const folder of [
    "etc/sources.list.d",
    "etc/preferences.d",
    "state/lists/partial",
    "cache/archives/partial",
  ])
    mkdirSync(at(folder), { recursive: true });
  writeFileSync(at("etc", "sources.list.d", "debian.sources"), SOURCES);
  // apt does not fetch what is installed.
  writeFileSync(at("status"), LEFT_OUT.map(installed).join("\n"));
  const options = {
    "Dir::Etc": at("etc"),
    "Dir::State": at("state"),
    "Dir::State::status": at("status"),
    "Dir::Cache": at("cache"),
    "APT::Architecture": "amd64",
    "APT::Architectures": "amd64",
    "APT::Sandbox::User": "",
    "Acquire::Languages": "none",
    "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled": "false",
  };
  const flags = Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  const run = (args, cwd = work, program = "apt-get") =>
    execFileSync(program, [...flags, ...args], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  run(["update", "-qq"]);
  return run;
}

const SOURCES = [
  ["debian", `${SUITE} ${SUITE}-updates`],
  ["debian-security", `${SUITE}-security`],
]
  .map(
    ([archive, suites]) =>
      `Types: deb\nURIs: http://deb.debian.org/${archive}\nSuites: ${suites}\nComponents: main\nSigned-By: ${KEYRING}\n`,
  )
  .join("\n");

function installed(name) {
  return `Package: ${name}\nStatus: install ok installed\nArchitecture: all\nMulti-Arch: foreign\nVersion: 999:1\nMaintainer: none\nDescription: left out\n`;
}
