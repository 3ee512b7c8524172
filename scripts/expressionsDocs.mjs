// The page of expressions, from the declaration that remit checks them with.

const HEAD = ["name", "type", "how it is known"];

/** The page: a table for each environment and for each type, and the functions. */
export function expressionsText({ ENVIRONMENTS, MESSAGES, SIGNATURES, TEXT_METHODS }, table) {
  const readable = (name, { type, mark }) => [`\`${name}\``, typeText(type, MESSAGES), mark];
  const rowsOf = (members) => Object.entries(members).map(([name, member]) => readable(name, member));
  return `<!-- Written by \`npm run docs\` from src/manifest/environments.ts. -->

# Expressions

Conditions, rules and the approvers of policies are CEL. remit checks each expression offline: its syntax, its names, and
the types of its values. A fault is shown on its line, with what is expected.

- **documented**: the documentation of the service has the name and its type. **inferred**: the name, or its other
  spelling, alone tells the type.
- A value of type \`dyn\` has no known type. Nothing about it is an error.
- An unknown name, an unknown function and a type that does not fit are errors. A field that is not listed here is a
  warning with the nearest name: the service may have more.
- All expressions know the enums and the functions below.

## What each field knows
${Object.values(ENVIRONMENTS)
  .map(
    ({ fields, gives, knows }) => `
### ${fields.replace(/^./, (first) => first.toUpperCase())}

The expression gives ${gives === "condition" ? "`true` or `false`" : "a user, or a list of users"}.

${table(rowsOf(knows), HEAD)}
`,
  )
  .join("")}
## What each type has
${Object.entries(MESSAGES)
  .map(([name, members]) => `\n### ${name}\n\n${table(rowsOf(members), HEAD)}\n`)
  .join("")}
## Functions of the service

Beside the functions of CEL, each with the types that it takes and gives. \`profile\` and \`attributes\` give values
of type \`dyn\`.

${[
  ...Object.entries(SIGNATURES).flatMap(([path, all]) =>
    all.map((signature) => (path === "" ? signature : `${path}.${signature}`)),
  ),
  ...TEXT_METHODS.map((signature) => `string.${signature}`),
]
  .map((signature) => `- \`${signature.replaceAll("google.protobuf.Timestamp", "timestamp")}\``)
  .join("\n")}
`;
}

/** A type, with a link to what it has. */
function typeText(type, messages) {
  const [, item = type] = /^list<(\w+)>$/.exec(type) ?? [];
  if (!Object.hasOwn(messages, item)) return `\`${type}\``;
  const link = `[${item}](#${item.toLowerCase()})`;
  return item === type ? link : `list of ${link}`;
}
