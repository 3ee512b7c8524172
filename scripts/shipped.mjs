// Checks the notices and the bill of materials of a built package against its source maps, which name every bundled
// file.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe } from "./bundled.mjs";
import { sbomProblems } from "./sbom.mjs";

/**
 * Fails when a bundled package lacks its notice, its licence text or its entry in the bill of materials. It also fails
 * when an entry names a package that is not bundled, or when the bill breaks CycloneDX's schema. Returns the number of
 * packages.
 */
export async function checkShipped({ folder, root }) {
  const packages = shippedPackages(join(folder, "dist"), root);
  const notices = readFileSync(join(folder, "THIRD_PARTY_NOTICES"), "utf8");
  for (const { id, texts } of packages) {
    assert.ok(notices.includes(`\n${id}\nLicence: `), `THIRD_PARTY_NOTICES has no section for ${id}`);
    for (const text of texts)
      assert.ok(notices.includes(text), `THIRD_PARTY_NOTICES lacks the licence text of ${id}`);
  }
  const bill = readFileSync(join(folder, "sbom.cdx.json"), "utf8");
  assert.equal(await sbomProblems(bill), null, "sbom.cdx.json breaks the schema of CycloneDX 1.6");
  const listed = JSON.parse(bill).components.map(({ group, name, version }) =>
    group === undefined ? `${name}@${version}` : `${group}/${name}@${version}`,
  );
  assert.deepEqual(listed.sort(), packages.map(({ id }) => id).sort(), "sbom.cdx.json lists what is bundled");
  return packages.length;
}

/** The packages that the source maps name. A map's paths start at `dist/` of the project. */
function shippedPackages(dist, root) {
  const folders = readdirSync(dist, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js.map"))
    .flatMap((file) =>
      JSON.parse(readFileSync(join(dist, file), "utf8")).sources.map((source) =>
        relative(root, resolve(dirname(join(root, "dist", file)), source)),
      ),
    )
    .flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []);
  const packages = [...new Set(folders)].map((folder) => describe(folder, root));
  return [...new Map(packages.map((one) => [one.id, one])).values()];
}
