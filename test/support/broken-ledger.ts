/** Makes the database refuse ledger entries of the category `cursed`. @returns what takes that back */
export async function breakLedger(t: {
  engine: string;
  sql(text: string): Promise<unknown>;
}): Promise<() => Promise<void>> {
  if (t.engine === 'sqlite') {
    await t.sql(
      `create trigger cursed before insert on ledger when new.category = 'cursed' begin select raise(abort, 'no'); end`,
    );
    return async () => void (await t.sql('drop trigger cursed'));
  }
  await t.sql(
    `create or replace function cursed() returns trigger language plpgsql as $$ begin if new.category = 'cursed' then raise exception 'no'; end if; return new; end $$`,
  );
  await t.sql('create trigger cursed before insert on ledger for each row execute function cursed()');
  return async () => void (await t.sql('drop trigger cursed on ledger'));
}

/**
 * Makes PostgreSQL end the connection of the first transaction that commits a ledger entry of the category `ended`, instead
 * of an answer to its COMMIT. @returns what takes that back
 */
export async function endOneCommit(t: { sql(text: string): Promise<unknown> }): Promise<() => Promise<void>> {
  // A sequence counts also what is rolled back.
  await t.sql('create sequence endings');
  await t.sql(
    `create or replace function end_once() returns trigger language plpgsql as $$ begin if nextval('endings') = 1 then perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); end if; return null; end $$`,
  );
  await t.sql(
    `create constraint trigger end_once after insert on ledger deferrable initially deferred for each row when (new.category = 'ended') execute function end_once()`,
  );
  return async () => {
    await t.sql('drop trigger end_once on ledger');
    await t.sql('drop sequence endings');
  };
}
