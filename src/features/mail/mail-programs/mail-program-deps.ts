import type { Limits } from '../../../api/limits.ts';
import type { CallCount } from '../../../api/metering/call-bucket.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Database } from '../../../api/transaction.ts';
import type { ClientNetworks } from '../../../base/client-network.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import type { Credentials } from '../../identity/login/authenticator.ts';
import type { MeterRules, RequestMeter } from '../../service/limits/request-meter.ts';

/** What mail programs need of other features. */
export interface MailProgramDeps {
  database: Database;
  addresses: Pick<AddressRules, 'requireOwned'>;
  credentials: Pick<Credentials, 'ofHash' | 'current' | 'keyUses'>;
  meter: Pick<RequestMeter, 'take' | 'giveBack'>;
  meterRules(principal: Principal, count?: CallCount): MeterRules;
  limits: Pick<Limits, 'mail_program_connections'>;
  /** Whether a login may be in clear from this machine. */
  development: boolean;
  hashIp(ip: string): string;
  networksOf(ip: string): ClientNetworks;
  /** Counts a login by its outcome. */
  countLogin(outcome: string): void;
  onFault(err: unknown, message: string): void;
  now(): number;
}
