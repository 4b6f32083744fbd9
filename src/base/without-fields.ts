/** A copy of a JSON value without some of the fields in it, at any depth. */
export const withoutFields = <T>(value: T, isLeft: (name: string, value: unknown) => boolean): T =>
  JSON.parse(JSON.stringify(value, (name, one) => (isLeft(name, one) ? undefined : one)));
