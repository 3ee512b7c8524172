/** The text of docs/diagnostics.md, from the sections of src/words/; `table` lays out rows under a head. */
export function diagnosticsText(sections, table) {
  return `${[HEAD, ...sections.map((one) => section(one, table))].join("\n\n")}\n`;
}

const HEAD = `<!-- Written by \`npm run docs\` from src/words/. -->

# Diagnostics

A diagnostic says what is wrong with a manifest, a setting, a plan or a call. It has a stable code, a severity, the place, the line
with a caret, and what to do next. Programs may rely on the code; the words may change. \`remit validate --format json\` prints them as
\`schemas/diagnostics.json\` describes, \`--format github\` as annotations, \`--format sarif\` for code scanning.

An **error** stops the run; a **warning** does so only with \`--strict\`; a **note** is only information. The tables show the usual
severity of each code. \`internal\` is a mistake of remit itself: please report it.`;

function section({ heading, intro = "", rows }, table) {
  const lines = Object.entries(rows).map(([code, { severity, title, help, hint }]) => {
    return [`\`${code}\``, severity, title, help ?? hint];
  });
  const head = ["code", "severity", "what is wrong", "what to do"];
  return [`## ${heading}`, ...(intro === "" ? [] : [intro]), table(lines, head)].join("\n\n");
}
