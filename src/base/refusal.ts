/**
 * A refusal in the words of a protocol. Thrown in a transaction, it rolls it back and is passed on as it is: what it calls its
 * code is none of the database.
 */
export abstract class Refusal extends Error {}
