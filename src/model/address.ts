/** The author's name of a resource; unique within its kind. */
export interface Address {
  readonly kind: string;
  readonly name: string;
}

/** An address as it is written everywhere: `TemplateScope/q4-privileged-access`. */
export function formatAddress(address: Address): string {
  return `${address.kind}/${address.name}`;
}

/** Reads `Kind/name`; undefined for any other form. */
export function parseAddress(text: string): Address | undefined {
  const slash = text.indexOf("/");
  if (slash <= 0 || slash === text.length - 1) return undefined;
  return { kind: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** The name of an object whose address has another one: `Kind/name@APP/ID`. A name in a manifest contains no `@`. */
export function withKey({ kind, name }: Address, key: readonly string[]): Address {
  return { kind, name: `${name}@${key.join("/")}` };
}

/** The address without the key, where the name has it. */
export function withoutKey({ kind, name }: Address, key: readonly string[]): Address {
  const suffix = `@${key.join("/")}`;
  return { kind, name: name.endsWith(suffix) ? name.slice(0, -suffix.length) : name };
}

/** Orders addresses by kind, then name, by code unit: the same on every machine. */
export function byAddress(one: Address, other: Address): number {
  if (one.kind !== other.kind) return one.kind < other.kind ? -1 : 1;
  if (one.name === other.name) return 0;
  return one.name < other.name ? -1 : 1;
}
