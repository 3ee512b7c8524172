import { expect, it } from "vitest";
import { pageText } from "../../../src/commands/docs/docs.js";
import { ansi, plain } from "../../../src/report/text/paint.js";

const PAGE = `# Tokens

Give **each job** a client, with the least that it needs: [doctor](../doctor.md), [fields](#fields).

- one that reads
  and counts
- one that [writes](kinds/README.md#roles)

\`\`\`\`md
\`\`\`sh
remit plan   # [not](a-link.md)
\`\`\`
\`\`\`\`

| field | takes | says |
| --- | --- | --- |
| \`a\\|b\` | an id | [The app](https://app.example) of it. |
| \`c\` | | Nothing. |
`;

it("prints words, lists, code and tables, and links as the command that prints their page", () => {
  expect(pageText("folder/tokens", PAGE, { columns: 60, paint: plain })).toBe(`Tokens

Give each job a client, with the least that it needs: doctor
(remit docs doctor), fields.

- one that reads and counts
- one that writes (remit docs folder/kinds)

  \`\`\`sh
  remit plan   # [not](a-link.md)
  \`\`\`

field  takes  says
\`a|b\`  an id  The app (https://app.example) of it.
\`c\`           Nothing.
`);
});

it("prints each row of a table as a list where the screen is too narrow for its columns", () => {
  const text = pageText("tokens", PAGE, { columns: 30, paint: ansi });
  expect(text).toContain(
    "\u001b[1m`a|b`\u001b[22m\n    an id\n    The app\n    (https://app.example) of\n    it.\n",
  );
});
