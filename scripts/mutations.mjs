// Defects to plant in the program, each at one place, and the laws that see it. `npm run laws -- --mutate` plants them.

/** Each `from` stands exactly once in its file. */
export const MUTATIONS = [
  {
    name: "a carried-over member is lost",
    laws: "b",
    file: "src/diff/unnamed.ts",
    from: "Object.fromEntries([...named, ...unnamed])",
    to: "Object.fromEntries(named)",
  },
  {
    name: "the half that a manifest does not write is not carried over",
    laws: "b",
    file: "src/kinds/templateScope.ts",
    from: "entitlements: after.entitlements ?? [],",
    to: "entitlements: [],",
  },
  {
    name: "what is not selected counts as removed",
    laws: "c",
    file: "src/plan/select.ts",
    from: "return chosen !== null || choice.targets.length > 0 || choice.selector !== null;",
    to: "return false;",
  },
  {
    name: "a label selects nothing less than the project",
    laws: "c",
    file: "src/plan/select.ts",
    from: "isTarget(choice, address) && hasLabels(labels)",
    to: "isTarget(choice, address)",
  },
  {
    name: "an object that was not seen is overwritten without a guard",
    laws: "d",
    file: "src/plan/notSeen.ts",
    from: 'return isStateLost ? "state lost" : "never written";',
    to: "return null;",
  },
  {
    name: "a create that replaced something is not noticed",
    laws: "d",
    file: "src/apply/replaced.ts",
    from: "return Date.parse(observed.createdAt) < requested - INACCURACY ? observed.createdAt : null;",
    to: "return null;",
  },
  {
    name: "a value is dropped from a body",
    laws: "ae",
    file: "src/kinds/entitlementAutomation.ts",
    from: 'const FIELDS = ["displayName", "description",',
    to: 'const FIELDS = ["displayName",',
  },
  {
    name: "a written field is not owned",
    laws: "ae",
    file: "src/current/desire.ts",
    from: "const isOurs = (name: string) => !others.includes(name);",
    to: 'const isOurs = (name: string) => !others.includes(name) && name !== "traitIds";',
  },
  {
    name: "a lost reply counts as done",
    laws: "a",
    file: "src/apply/deliver.ts",
    from: 'return fault === "other envelope" && status !== null && body !== undefined',
    to: 'if (fault === "reset") return { status: 200, body: {}, attempts };\n  return fault === "other envelope" && status !== null && body !== undefined',
  },
  {
    name: "a failed read counts as absent",
    laws: "ad",
    file: "src/current/fetched.ts",
    from: "const trouble = troubleOf(error);",
    to: 'if (status !== 418) return { as: "absent" };\n  const trouble = troubleOf(error);',
  },
  {
    name: "what could be created is blocked",
    laws: "a",
    file: "src/plan/decide.ts",
    from: "const isComplete = kind.shape.createOnly.every(",
    to: "const isComplete = !kind.shape.createOnly.every(",
  },
];
