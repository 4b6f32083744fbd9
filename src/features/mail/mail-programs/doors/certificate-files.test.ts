import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { selfSigned } from '../../../../../test/support/certificate.ts';
import { CertificateFiles } from './certificate-files.ts';

describe('a certificate in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-certificate-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const files = { cert: join(folder, 'mx.crt'), key: join(folder, 'mx.key') };
  const write = ({ cert, key }: { cert?: string; key?: string }): void => {
    if (cert !== undefined) writeFileSync(files.cert, cert);
    if (key !== undefined) writeFileSync(files.key, key);
  };

  it('is read anew when both files have changed, and stays while only one has', () => {
    const [first, second] = [selfSigned(), selfSigned()];
    let [now, faults] = [1_000_000, 0];
    write(first);
    const certificate = new CertificateFiles(
      { ...first, files },
      {
        now: () => now,
        onFault: () => {
          faults += 1;
        },
      },
    );
    const initial = certificate.context();
    write({ cert: second.cert });
    assert.equal(certificate.context(), initial, 'not looked at twice in a second');
    for (let n = 0; n < 3; n += 1) {
      now += 1000;
      assert.equal(certificate.context(), initial, 'the key is of another certificate');
    }
    assert.equal(faults, 1, 'said once');
    write({ key: second.key });
    now += 1000;
    assert.notEqual(certificate.context(), initial);
    assert.equal(certificate.texts().cert, second.cert);
    rmSync(files.key);
    now += 1000;
    assert.equal(certificate.texts().cert, second.cert, 'what was good stays when a file is gone');
  });
});
