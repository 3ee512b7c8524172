// The image, as a layout of the Open Container Initiative in one archive: Debian's packages, and remit's executable on top.
// No program of containers is needed to build it, and no script of a package runs.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { archive } from "./archive.mjs";

/** No user of a host has this number by chance, so no file of a host belongs to the user of the image. */
const USER = 10001;
/** What a package has that no program reads. Licences stay. */
const UNREAD = ["man", "info", "locale", "lintian", "bash-completion", "gitweb", "perl5"].map(
  (name) => `usr/share/${name}`,
);

/**
 * Makes the image's archive and keeps its root file system in the folder to work in.
 * @param {{ packages: readonly string[], executable: string, shipped: readonly string[], version: string, commit: string,
 * created: string, node: string, work: string, file: string }} parts Debian's package files, remit's files, and the places
 */
export function makeImage({ packages, executable, shipped, version, commit, created, node, work, file }) {
  const [base, program, layout] = ["base", "program", "layout"].map((name) => join(work, name));
  makeBase(base, packages);
  put(join(program, "usr", "local", "bin", "remit"), readFileSync(executable), 0o755);
  for (const one of shipped)
    put(
      join(program, "usr", "local", "share", "doc", "remit", one.split("/").at(-1) ?? ""),
      readFileSync(one),
    );

  const blobs = join(layout, "blobs", "sha256");
  mkdirSync(blobs, { recursive: true });
  const layers = [base, program].map((root) => makeLayer(root, work, blobs, node));
  const labels = {
    "org.opencontainers.image.title": "remit",
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.revision": commit,
    "org.opencontainers.image.licenses": "Apache-2.0",
    "org.opencontainers.image.source": "https://github.com/remit-cli/remit",
  };
  const config = addBlob(blobs, {
    created,
    architecture: "amd64",
    os: "linux",
    config: {
      User: `${USER}:${USER}`,
      Env: ["PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/home/remit", "LANG=C.UTF-8"],
      Entrypoint: ["/usr/local/bin/remit"],
      Cmd: ["--help"],
      WorkingDir: "/project",
      Labels: labels,
    },
    rootfs: { type: "layers", diff_ids: layers.map(({ unpacked }) => unpacked) },
    history: [
      { created, created_by: "Debian packages of scripts/release/debian.json" },
      { created, created_by: `remit ${version}` },
    ],
  });
  const manifest = addBlob(blobs, {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: { mediaType: "application/vnd.oci.image.config.v1+json", ...config },
    layers: layers.map(({ digest, size }) => ({
      mediaType: "application/vnd.oci.image.layer.v1.tar+gzip",
      digest,
      size,
    })),
    annotations: labels,
  });
  writeFileSync(join(layout, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  const platform = { architecture: "amd64", os: "linux" };
  const annotations = { "org.opencontainers.image.ref.name": version };
  const entry = {
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    ...manifest,
    platform,
    annotations,
  };
  const index = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.index.v1+json",
    manifests: [entry],
  };
  writeFileSync(join(layout, "index.json"), JSON.stringify(index));
  archive(layout, file);
  return { digest: manifest.digest };
}

/** Unpacks the packages, and writes the few files that their scripts would write on an installed system. */
function makeBase(root, packages) {
  mkdirSync(root, { recursive: true });
  const first = packages.filter((file) => /\/base-files_[^/]*$/.test(file));
  for (const file of [...first, ...packages.filter((one) => !first.includes(one))])
    execFileSync("dpkg-deb", ["--extract", file, root]);
  for (const path of UNREAD) rmSync(join(root, path), { recursive: true, force: true });
  const git = join(root, "usr", "lib", "git-core");
  for (const name of readdirSync(git)) if (isPerl(join(git, name))) rmSync(join(git, name));

  const account = `${USER}:${USER}:remit:/home/remit:/usr/sbin/nologin`;
  put(join(root, "etc/passwd"), `root:x:0:0:root:/root:/usr/sbin/nologin\nremit:x:${account}\n`);
  put(join(root, "etc/group"), `root:x:0:\nremit:x:${USER}:\n`);
  put(join(root, "etc/nsswitch.conf"), "passwd: files\ngroup: files\nhosts: files dns\n");
  // What is mounted belongs to another user. git otherwise refuses to read it.
  put(join(root, "etc/gitconfig"), "[safe]\n\tdirectory = *\n");
  const certificates = join(root, "usr/share/ca-certificates/mozilla");
  const texts = readdirSync(certificates)
    .sort()
    .map((name) => readFileSync(join(certificates, name), "utf8"));
  put(join(root, "etc/ssl/certs/ca-certificates.crt"), texts.join(""));
  rmSync(join(root, "usr/bin/awk"), { force: true });
  symlinkSync("mawk", join(root, "usr/bin/awk"));
  for (const [folder, mode] of /** @type {const} */ ([
    ["tmp", 0o1777],
    ["var/tmp", 0o1777],
    ["home/remit", 0o755],
    ["project", 0o755],
  ])) {
    mkdirSync(join(root, folder), { recursive: true });
    chmodSync(join(root, folder), mode);
  }
  // No program of the image changes its user.
  execFileSync("find", [root, "-type", "f", "-perm", "/6000", "-exec", "chmod", "ug-s", "{}", "+"]);
}

function isPerl(file) {
  try {
    return readFileSync(file).subarray(0, 20).toString("latin1").startsWith("#!/usr/bin/perl");
  } catch {
    return false;
  }
}

function makeLayer(root, work, blobs, node) {
  const plain = join(work, "layer.tar");
  archive(root, plain);
  const unpacked = `sha256:${hash(readFileSync(plain))}`;
  const packed = join(work, "layer.tar.gz");
  // The pinned Node compresses: another version may give other bytes.
  const zip =
    "const fs=require('fs');fs.writeFileSync(process.argv[2],require('zlib').gzipSync(fs.readFileSync(process.argv[1])))";
  execFileSync(node, ["-e", zip, plain, packed]);
  const bytes = readFileSync(packed);
  rmSync(plain);
  rmSync(packed);
  return { ...addBytes(blobs, bytes), unpacked };
}

function addBlob(blobs, value) {
  return addBytes(blobs, Buffer.from(JSON.stringify(value)));
}

function addBytes(blobs, bytes) {
  const digest = hash(bytes);
  writeFileSync(join(blobs, digest), bytes);
  return { digest: `sha256:${digest}`, size: bytes.length };
}

function hash(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

function put(path, content, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}
