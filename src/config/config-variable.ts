import { VARIABLES, type VariableName } from './environment.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables with a default. */
type DefaultedName = {
  [N in VariableName]: (typeof VARIABLES)[N]['fallback'] extends string ? N : never;
}[VariableName];

/** The value of a variable, or its default. An empty variable counts as unset. */
export const readOrDefault = (env: Environment, name: DefaultedName): string => env[name] || VARIABLES[name].fallback;
/** The value of a variable without a default. */
export const settingOf = (env: Environment, name: VariableName): string | null => env[name] || null;

/** The message names the variable, its value and the values it accepts. */
export class ConfigError extends Error {}

export const refuse = (name: VariableName, got: string, wants: string): never => {
  throw new ConfigError(`${name} is ${JSON.stringify(got)}; it must be ${wants}`);
};

/** A port from 0 to 65535. @throws ConfigError */
export function port(env: Environment, name: VariableName): number {
  const text = settingOf(env, name) ?? VARIABLES[name].fallback ?? '';
  const value = Number(text);
  return /^\d{1,5}$/.test(text) && value <= 65_535 ? value : refuse(name, text, 'a port from 0 to 65535');
}

/** The same for a listener that can be switched off. Null: `off`. */
export const portOrOff = (env: Environment, name: DefaultedName): number | null =>
  readOrDefault(env, name) === 'off' ? null : port(env, name);
