import { inspect } from "node:util";

/** Every way in which a value may reach a reader. */
export function shown(value: unknown): string {
  const faces = [
    String(value),
    `${value}`,
    JSON.stringify(value),
    inspect(value, { depth: 20, showHidden: true, getters: true }),
  ];
  if (value instanceof Error) {
    faces.push(
      value.stack ?? "",
      JSON.stringify(Object.getOwnPropertyDescriptors(value)),
      inspect(value.cause),
    );
    for (const name of Object.getOwnPropertyNames(value))
      faces.push(inspect(Reflect.get(value, name), { depth: 20 }));
  }
  return faces.join("\n");
}
