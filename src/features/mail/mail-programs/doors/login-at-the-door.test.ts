import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import { createAgent } from '../../../../../test/support/agents.ts';
import { eventually } from '../../../../../test/support/eventually.ts';
import { onEngines } from '../../../../../test/support/harness.ts';

onEngines('any', 'the door of IMAP', {}, (suite) => {
  it('opens the mailbox of a named key, and ends with the key', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const made = await ada.api.post('/v1/account/keys', { name: 'program', scopes: ['mail:read'] });
    const socket = connect(t.app.programPorts.imap as number, '127.0.0.1');
    let heard = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
    });
    await eventually(() => heard.startsWith('* OK'));
    socket.write(`a LOGIN ${ada.address} ${made.body.api_key}\r\nb EXAMINE INBOX\r\n`);
    await eventually(() => /^b OK/m.test(heard));
    assert.match(heard, /^a OK/m);
    assert.match(heard, /^\* 0 EXISTS/m);
    const ended = once(socket, 'close');
    await ada.api.delete(`/v1/account/keys/${made.body.id}`);
    await ended;
    assert.match(heard, /^\* BYE \[EXPIRED\]/m);
    await eventually(() => t.app.provided.mailPrograms.size() === 0);
  });
});
