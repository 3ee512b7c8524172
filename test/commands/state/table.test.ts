import { describe, expect, it } from "vitest";
import { type TableRow, table } from "../../../src/commands/state/state.js";

const row: TableRow = {
  address: "TemplateScope/q4",
  key: ["2ty9Pf34qY6Nb3wWD25RQ4F5ZR3"],
  at: "2026-01-01T00:00:00.123Z",
  protected: false,
  uncertain: null,
};
const type: TableRow = { ...row, address: "ResourceType/on-call", key: ["2appPagerDuty", "0Oqq9YEk9KPF"] };

describe("the list of a state", () => {
  it("has one line for each object, with the time to the second", () => {
    expect(table([row, type], 80)).toBe(
      "TemplateScope/q4      2ty9Pf34qY6Nb3wWD25RQ4F5ZR3  2026-01-01T00:00:00Z\n" +
        "ResourceType/on-call  2appPagerDuty/0Oqq9YEk9KPF   2026-01-01T00:00:00Z\n",
    );
  });

  it("gives each key a line of its own where the page is narrower, and breaks no id", () => {
    expect(table([row, type], 60)).toBe(
      "TemplateScope/q4      2026-01-01T00:00:00Z\n" +
        "  2ty9Pf34qY6Nb3wWD25RQ4F5ZR3\n" +
        "ResourceType/on-call  2026-01-01T00:00:00Z\n" +
        "  2appPagerDuty/0Oqq9YEk9KPF\n",
    );
  });

  it("says below an uncertain create why it is uncertain", () => {
    const lost: TableRow = {
      ...row,
      key: null,
      uncertain: "no whole reply came; it may or may not have taken effect",
    };
    expect(table([lost], 40)).toBe(
      "TemplateScope/q4  2026-01-01T00:00:00Z\n" +
        "  uncertain: no whole reply came; it\n" +
        "    may or may not have taken effect\n",
    );
  });
});
