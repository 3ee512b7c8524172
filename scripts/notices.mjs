// The text of THIRD_PARTY_NOTICES: every bundled package with its licence.
const RULE = "-".repeat(80);

/** One section for each package: its name and version, its licence's name, its author, and the full texts. */
export function noticesOf(packages) {
  const head = [
    "Third-party notices",
    "",
    "The files of this package contain code of the following packages. Each section has the",
    "licence text of one package.",
    "",
    ...packages.map(({ id, license }) => `  ${id} (${license})`),
  ];
  return [head.join("\n"), ...packages.map(section), ""].join("\n\n");
}

function section({ id, license, author, repository, texts }) {
  const facts = [
    `${id}`,
    `Licence: ${license}`,
    ...(author === undefined ? [] : [`Author: ${author}`]),
    ...(repository === undefined ? [] : [`Source: ${repository}`]),
  ];
  return [RULE, facts.join("\n"), ...texts].join("\n\n");
}
