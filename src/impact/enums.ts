/** The numbers of an enum in rules. The service does not document its numbers; rules only compare them by name. */
export type Numbers = Readonly<Record<string, bigint>>;

export const USER_STATUS: Numbers = { UNSPECIFIED: 0n, ENABLED: 1n, DISABLED: 2n, DELETED: 3n };

export const USER_TYPE: Numbers = { UNSPECIFIED: 0n, SYSTEM: 1n, HUMAN: 2n, SERVICE: 3n, AGENT: 4n };

export const ACCOUNT_TYPE: Numbers = { UNSPECIFIED: 0n, USER: 1n, SERVICE_ACCOUNT: 2n, SYSTEM_ACCOUNT: 3n };

/** The number of a name; an unknown name is the zero value, as in the service's own messages. */
export function enumNumber(numbers: Numbers, name: string): bigint {
  return Object.hasOwn(numbers, name) ? (numbers[name] ?? 0n) : 0n;
}

/** The numbers of an enum by its long names, such as USER_STATUS_ENABLED. */
export function longNames(prefix: string, numbers: Numbers): Numbers {
  return Object.fromEntries(Object.entries(numbers).map(([name, number]) => [`${prefix}_${name}`, number]));
}
