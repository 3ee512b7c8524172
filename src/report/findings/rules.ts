/** What a code means whatever the manifest, for readers of a list of rules. */
export interface Rule {
  readonly title: string;
  readonly help: string;
}

const RULES: Readonly<Record<string, Rule>> = {};

/** The rule of a code; an unlisted one is told by its own words. */
export function ruleOf(code: string): Rule {
  return Object.hasOwn(RULES, code) && RULES[code] !== undefined ? RULES[code] : unlisted(code);
}

function unlisted(code: string): Rule {
  const title = code.replace("/", ": ").replaceAll("-", " ");
  return { title, help: `A finding of remit: ${title}.` };
}
