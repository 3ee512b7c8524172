// The bill of materials of the package, in CycloneDX JSON 1.6, made and checked with the CycloneDX project's own library.
import { Contrib, Enums, Models, Serialize, Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { PackageURL } from "packageurl-js";
import parseLicense from "spdx-expression-parse";

const VERSION = Spec.Version.v1dot6;
const licenses = new Contrib.License.Factories.LicenseFactory(parseLicense);

/** The bill of materials as text. It contains no time and no random number, so the same packages give the same bytes. */
export function sbomOf({ name, version, description, license }, { packages, direct }) {
  const project = component(Enums.ComponentType.Application, {
    name,
    version,
    description,
    license,
    repository: undefined,
  });
  const components = new Map(packages.map((one) => [one.id, component(Enums.ComponentType.Library, one)]));
  const depend = (from, ids) => {
    for (const id of ids) from.dependencies.add(components.get(id).bomRef);
  };
  depend(project, direct);
  for (const { id, imports } of packages) depend(components.get(id), imports);
  const bom = new Models.Bom();
  bom.metadata.component = project;
  for (const one of components.values()) bom.components.add(one);
  const spec = Spec.SpecVersionDict[VERSION];
  if (spec === undefined) throw new Error(`the library does not know CycloneDX ${VERSION}`);
  const normalize = new Serialize.JSON.Normalize.Factory(spec);
  return `${new Serialize.JsonSerializer(normalize).serialize(bom, { sortLists: true, space: 2 })}\n`;
}

/** What is wrong with a bill of materials according to the standard's schema; null when it is valid. */
export async function sbomProblems(text) {
  return new Validation.JsonStrictValidator(VERSION).validate(text);
}

function component(type, { name, version, description, license, repository }) {
  const [scope, base] = name.startsWith("@") ? name.split("/") : [undefined, name];
  const purl = new PackageURL("npm", scope, base, version).toString();
  const made = new Models.Component(type, base, { group: scope, version, description, purl, bomRef: purl });
  made.licenses.add(licenses.makeFromString(license));
  if (repository !== undefined)
    made.externalReferences.add(new Models.ExternalReference(repository, Enums.ExternalReferenceType.VCS));
  return made;
}
