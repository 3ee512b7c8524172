import type { Operation } from "../../manifest/edit/edit.js";
import { formatPath, type Path } from "../../model/path.js";

/** Where an operation takes effect: at a value, or at the member that it names. */
export function placeOfOperation(operation: Operation): Path {
  if (operation.do === "swap") return [...operation.path, operation.to.name];
  if (operation.do !== "members") return operation.path;
  const [name] = [...operation.removed, ...operation.added.map((one) => one.name)];
  return name === undefined ? operation.path : [...operation.path, name];
}

type Members = Extract<Operation, { do: "members" }>;

/** Operations with one for all members of an object, because they share commas and lines. Inner ones stay before outer ones. */
export function merged(operations: readonly Operation[]): readonly Operation[] {
  const groups = new Map<string, Members>();
  const others: Operation[] = [];
  for (const operation of operations) {
    if (operation.do !== "members") {
      others.push(operation);
      continue;
    }
    const name = formatPath(operation.path);
    const before = groups.get(name);
    groups.set(name, {
      ...operation,
      removed: [...(before?.removed ?? []), ...operation.removed],
      added: [...(before?.added ?? []), ...operation.added],
    });
  }
  const deepestFirst = [...groups.values()].sort((one, other) => other.path.length - one.path.length);
  return [...others, ...deepestFirst];
}
