import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { face } from "../golden/harness.js";

const BROWNFIELD = "examples/brownfield";
const before = [["import", "--quiet"]];
const text = readFileSync("docs/brownfield.md", "utf8");

/** What a run prints, without its command line, its exit code and the names of its streams. */
async function printed(argv: readonly string[], given = {}): Promise<string> {
  const lines = (await face(BROWNFIELD, argv, given)).split("\n");
  return lines
    .filter((line) => !/^(\$ remit |exit \d+$|──── )/.test(line))
    .join("\n")
    .trim();
}

// The times are those of one run; everything else is what remit prints today.
describe("docs/brownfield.md, which `npm run transcript` writes,", () => {
  it("shows the first and the second import", async () => {
    expect(text).toContain(await printed(["import", "--quiet"]));
    expect(text).toContain(await printed(["import", "--quiet"], { before }));
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
    expect(text).toContain("Nothing to do: 165 unchanged.");
  });
});

it("README shows what an import of the tenant prints", async () => {
  const readme = readFileSync("README.md", "utf8");
  const [head = "", next = ""] = (await printed(["import", "--quiet"])).split("\n");
  expect(readme).toContain(`$ remit import --quiet\n${head}\n${next}\n`);
  const plan = (await printed(["plan", "--detailed-exitcode"], { before })).split("\n").at(-1);
  expect(readme).toContain(`$ remit plan --detailed-exitcode | tail -1\n${plan}\n`);
});
