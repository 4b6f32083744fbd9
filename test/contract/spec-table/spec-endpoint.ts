/**
 * The endpoint tables of the specification, copied by hand: clients of the specification rely on them. Never generated
 * from the code, because then they could not disagree with it. Fields inside objects are `outer.inner`, inside arrays
 * `outer[].inner`.
 */
export interface SpecEndpoint {
  method: string;
  path: string;
  /** `platform`: a key, but not a pod's. */
  auth: 'none' | 'key' | 'platform';
  /** Fields of the body; a trailing `!` marks a required field. */
  body?: readonly string[];
  /** Query parameters, marked the same way. */
  query?: readonly string[];
  /** Default and maximum of the query parameter `limit`. */
  limit?: readonly [number, number?];
  status: number;
  reply: readonly string[];
  /** Statuses, or codes if the specification names one. */
  errors: readonly (number | string)[];
}

/** The fields of an object inside a reply: `inside('limits', ['stacks'])` is `limits.stacks`. */
export const inside = (place: string, names: readonly string[]): string[] => names.map((name) => `${place}.${name}`);
