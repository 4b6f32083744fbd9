/**
 * The specification's endpoint tables, copied by hand: what clients written against the specification rely on. Never
 * generated from the code, or it could not disagree with it. Fields inside objects are `outer.inner`, inside arrays
 * `outer[].inner`.
 */
export interface SpecEndpoint {
  method: string;
  path: string;
  /** `platform`: a key, but not a pod's. */
  auth: 'none' | 'key' | 'platform';
  /** Fields of the body; a trailing `!` marks one that must be there. */
  body?: readonly string[];
  /** Query parameters, marked alike. */
  query?: readonly string[];
  /** Default and maximum of the query parameter `limit`. */
  limit?: readonly [number, number?];
  status: number;
  reply: readonly string[];
  /** Statuses, or codes where the specification names one. */
  errors: readonly (number | string)[];
}

/** The fields of an object inside a reply: `inside('limits', ['stacks'])` is `limits.stacks`. */
export const inside = (place: string, names: readonly string[]): string[] => names.map((name) => `${place}.${name}`);
