import type { Erasure } from '../../../api/account/erasure.ts';
import { confirmedPeople, loginPeople } from '../../account/people/person.ts';
import { forgetSettings } from '../../service/settings/operator-settings.ts';
import type { LoginNetworks } from '../login/login-network.ts';
import { deletePasskey, passkeysOf } from './passkey-store.ts';
import { codesLeft, replaceCodes } from './recovery-code-store.ts';

/**
 * Makes the step that deletes the passkeys, recovery codes, settings and login networks of the people of an account who have confirmed their address for no
 * other. They belong to a person, so another account keeps them.
 */
export const passkeyErasure = (networks: Pick<LoginNetworks, 'forget'>): Erasure => ({
  tables: ['passkeys', 'recovery_codes', 'operator_settings', 'login_networks'],
  run: async (tx, accountId) => {
    let erased = 0;
    for (const address of new Set((await confirmedPeople(tx, accountId)).map((person) => person.address))) {
      const { confirmed } = await loginPeople(tx, address);
      if (confirmed.some((person) => person.accountId !== accountId)) continue;
      for (const { id } of await passkeysOf(tx, address)) erased += await deletePasskey(tx, address, id);
      erased += await codesLeft(tx, address);
      await replaceCodes(tx, address, []);
      erased += await forgetSettings(tx, address);
      erased += await networks.forget(tx, address);
    }
    return erased;
  },
});
