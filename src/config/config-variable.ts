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
