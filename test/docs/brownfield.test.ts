import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { workplace } from "../examples/workplace.js";

const text = readFileSync("docs/brownfield.md", "utf8");

/** What a first import, a second one and a plan print, one after the other. */
let printed: readonly string[];
beforeAll(async () => {
  const { remit, close } = workplace("brownfield");
  const seen = [
    await remit("import", "--quiet"),
    await remit("import", "--quiet"),
    await remit("plan", "--detailed-exitcode"),
  ];
  close();
  printed = seen.map(({ stdout, stderr }) => `${stdout}${stderr}`.trim());
});

// The times are those of one run; everything else is what remit prints today.
describe("docs/brownfield.md, which `npm run transcript` writes,", () => {
  it("shows the first and the second import", () => {
    const [first = "missing", second = "missing"] = printed;
    expect(text).toContain(first);
    expect(text).toContain(second);
  });

  it("shows the way to an empty plan, with a time and the exit code of each command", () => {
    const steps = [...text.matchAll(/^\$ remit (.+)$|^# exit (\d+), \d+\.\d s$/gm)].map(
      ([, argv, code]) => argv ?? code,
    );
    expect(steps).toEqual([
      ...["init --server http://127.0.0.1:8700", "0", "import --quiet", "0", "plan --detailed-exitcode", "0"],
      ...["apply --yes --quiet", "0", "plan --detailed-exitcode", "0", "import --quiet", "0"],
      ...[
        "init --server http://127.0.0.1:8700",
        "0",
        "import --from-terraform state.json",
        "0",
        "plan --detailed-exitcode",
        "0",
      ],
    ]);
    expect(text).toContain("Nothing to do: 187 unchanged.");
  });
});
