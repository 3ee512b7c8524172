import { ENUMS } from "../manifest/declared.js";

/** One value of an enum. The service does not document numbers, so rules can compare values by name and do nothing else. */
class EnumValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The status of a user or of an account as rules compare it. */
export class StatusValue extends EnumValue {}

/** The type of a user as rules compare it. */
export class UserTypeValue extends EnumValue {}

/** The type of an account as rules compare it. */
export class AccountTypeValue extends EnumValue {}

/** The values of an enum by their names. */
type Values<V extends EnumValue> = Readonly<Record<string, V>>;

export const USER_STATUS = valuesOf(StatusValue, ENUMS.UserStatus.values);

export const USER_TYPE = valuesOf(UserTypeValue, ENUMS.UserType.values);

export const ACCOUNT_TYPE = valuesOf(AccountTypeValue, ENUMS.AppUserType.values);

/** The value of a name; an unknown name is the zero value, as in the service's own messages. */
export function enumValue<V extends EnumValue>(
  values: Values<V> & { readonly UNSPECIFIED: V },
  name: string,
): V {
  return (Object.hasOwn(values, name) ? values[name] : undefined) ?? values.UNSPECIFIED;
}

/** The values of an enum by its long names, such as USER_STATUS_ENABLED. */
export function longNames<V extends EnumValue>(prefix: string, values: Values<V>): Values<V> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]));
}

function valuesOf<V extends EnumValue, Name extends string>(
  type: new (name: string) => V,
  names: readonly Name[],
): Readonly<Record<Name, V>> {
  return Object.fromEntries(names.map((name) => [name, new type(name)])) as Record<Name, V>;
}
