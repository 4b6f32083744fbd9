import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ReservedNames } from './reserved-names.ts';

const reserved = new ReservedNames();

describe('a reserved name', () => {
  it('is every name of RFC 2142 and of certificate validation, and what speaks for the service', () => {
    const names =
      'postmaster hostmaster webmaster usenet news www uucp ftp abuse noc security info marketing sales support ' +
      'admin administrator root sysadmin ssladmin billing help operator signet dmarc mailer-daemon nobody null devnull';
    for (const name of names.split(' ')) assert.ok(reserved.has(name), name);
  });

  it('is every spelling of no-reply, and of the others', () => {
    for (const name of ['noreply', 'no-reply', 'no_reply', 'no.reply', 'NoReply', 'do-not-reply', 'donotreply'])
      assert.ok(reserved.has(name), name);
    for (const name of ['do_not.reply', 'dont-reply', 'no-response', 'mailer_daemon', 'post-master', 'sys.admin'])
      assert.ok(reserved.has(name), name);
  });

  it('is one with digits in the place of letters', () => {
    for (const name of ['adm1n', 'bi11ing', 'b1l1ing', 'supp0rt', 'no-r3ply', '5upport', 'S1GNET', 'n0.b0dy', '1nf0'])
      assert.ok(reserved.has(name), name);
    for (const name of ['adm2n', 'b0lling', 'support5', 'ne1ps', 'r2d2']) assert.equal(reserved.has(name), false, name);
  });

  it('is an account id, which names a profile', () => {
    assert.ok(reserved.has('acc_01key610g0wnnv8jn51fqqyrqf'));
    assert.equal(reserved.has('acc_01key'), false);
  });

  it('is not a name that only contains one', () => {
    for (const name of ['ada', 'administrators-friend', 'admin1234', 'newsroom', 'helper', 'nocturne', 'information'])
      assert.equal(reserved.has(name), false, name);
  });

  it('is also what the administrator adds, in any spelling', () => {
    const more = new ReservedNames(['ceo', 'press-office']);
    for (const name of ['ceo', 'C.E.O', 'pressoffice', 'press_office', 'postmaster'])
      assert.ok(more.has(name.toLowerCase()), name);
    assert.equal(reserved.has('ceo'), false);
  });
});
