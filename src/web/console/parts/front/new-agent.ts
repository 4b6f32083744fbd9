import type { RegisterReply } from '../../../../client/generated/operations.ts';
import type { SignetClient } from '../../../../client/signet-client.ts';
import { serviceFor } from '../../ui/console-service.ts';

/** What keeps dangerous mail from an agent until a person has looked. */
export const quarantineDangerous = (service: SignetClient) =>
  service.setMailPolicy({ inbound: { dangerous: 'quarantine' } });

/** Makes an agent with an address. Unlike one that the API makes, it keeps dangerous mail in quarantine. */
export async function makeAgent(given: { name: string; invite: string | undefined }): Promise<RegisterReply> {
  const made = await serviceFor(null).register(given);
  // It is there whether this works or not, and its key is shown once. If not, the list of what to set up offers it.
  await quarantineDangerous(serviceFor(made.api_key)).catch(() => {});
  return made;
}
