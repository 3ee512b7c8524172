/** A field as the service's JSON names it: an expression may spell `jobTitle` as `job_title`. */
export function fieldNamed(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Lets a message be read by each spelling of its fields; `fields` are those that expressions know. */
export function readAsSpelled(
  message: { readonly prototype: object },
  fields: Readonly<Record<string, unknown>>,
): void {
  for (const name of Object.keys(fields)) {
    const own = fieldNamed(name);
    if (own === name || name in message.prototype) continue;
    Object.defineProperty(message.prototype, name, {
      get(this: Readonly<Record<string, unknown>>) {
        return this[own];
      },
    });
  }
}
