// What the executable and the image contain beside the npm package, as components of a bill of materials.

/**
 * A bill of materials with more components; the project depends on each of them.
 * @param {string} bill in CycloneDX JSON
 * @param {readonly object[]} added
 */
export function withComponents(bill, added) {
  const { components, dependencies, ...rest } = JSON.parse(bill);
  const project = rest.metadata.component["bom-ref"];
  const byRef = (a, b) => (key(a) < key(b) ? -1 : 1);
  const key = (one) => one["bom-ref"] ?? one.ref;
  const depends = dependencies.map((one) =>
    one.ref === project ? { ...one, dependsOn: [...(one.dependsOn ?? []), ...added.map(key)].sort() } : one,
  );
  const all = {
    ...rest,
    components: [...components, ...added].sort(byRef),
    dependencies: [...depends, ...added.map((one) => ({ ref: key(one) }))].sort(byRef),
  };
  return `${JSON.stringify(all, null, 2)}\n`;
}

/** @param {{ version: string, sha256: string }} node */
export function nodeComponent({ version, sha256 }) {
  const purl = `pkg:generic/node@${version}`;
  return component("platform", "node", version, purl, sha256);
}

/** @param {import("./debian.mjs").Package} one */
export function debianComponent({ name, version, architecture, sha256 }) {
  const at = encodeURIComponent(version);
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${at}?arch=${architecture}&distro=debian-13`;
  return component("library", name, version, purl, sha256);
}

function component(type, name, version, purl, sha256) {
  return { type, name, version, "bom-ref": purl, hashes: [{ alg: "SHA-256", content: sha256 }], purl };
}
