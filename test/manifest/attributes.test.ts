import { describe, expect, it } from "vitest";
import { expressionFaults } from "../../src/manifest/expressionFaults.js";

describe("the attributes of a subject", () => {
  it("that the documentation does not have are found at their characters, with the nearest name", () => {
    const text = 'subject.departmnt == "A" && (subject.profile.anything == "" || has(subject.departmnt))';
    const [fault, ...more] = expressionFaults(text, "rule");
    expect(more).toEqual([]);
    expect(text.slice(fault?.start, fault?.end)).toBe("departmnt");
    expect([fault?.severity, fault?.message, fault?.hint]).toEqual([
      "warning",
      "a user has no documented attribute departmnt",
      "Did you mean department?",
    ]);
  });
  it("are those of what an expression is about, and of what its functions give", () => {
    const told = (text: string, environment: "account" | "condition" | "configurationRule") =>
      expressionFaults(text, environment).map(({ message, hint }) => `${message}: ${hint}`);
    expect(told('subject.department == "Tax"', "account")).toEqual([
      "an account has no documented attribute department: Attributes of your own are written subject.profile.NAME.",
    ]);
    expect(told('entitlement.role.dispaly_name == "Admin"', "configurationRule")).toEqual([
      "a role or scope of an entitlement has no documented attribute dispaly_name: Did you mean display_name?",
    ]);
    expect(
      told(
        "task.analysis.hasConflictViolation || c1.directory.users.v1.GetManagers(subject)[0].nme == ''",
        "condition",
      ),
    ).toEqual([
      "the analysis of a task has no documented attribute hasConflictViolation: Did you mean hasConflictViolations?",
      expect.stringMatching(/^a user has no documented attribute nme: /),
    ]);
  });
});
