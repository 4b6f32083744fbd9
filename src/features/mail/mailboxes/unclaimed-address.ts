import { ApiError } from '../../../api/errors.ts';
import { nearestWord, wordDistance } from '../../../base/nearest-word.ts';

/** What a caller may have meant by an unclaimed address. */

const localPart = (address: string): string => address.slice(0, address.lastIndexOf('@'));

/** Whether one address may be the other with a typing error: two letters differ, or only the domain. */
function resembles(one: string, other: string): boolean {
  const [a, b] = [localPart(one), localPart(other)];
  return wordDistance(a, b) <= Math.min(2, Math.floor(Math.max(a.length, b.length) / 3));
}

/** The warning in a reply that claimed an address; undefined unless it is like one that the account has. */
export function claimWarning(claimed: string, own: readonly string[]): string | undefined {
  const like = own.filter((address) => resembles(address, claimed));
  if (like.length === 0) return undefined;
  return `This call claimed ${claimed}. Did you mean ${nearestWord(claimed, like)}? With ?claim=false a list claims nothing.`;
}

/** The refusal of an unclaimed address, to a call that may not claim it. */
export function notClaimed(given: string, own: readonly string[]): ApiError {
  if (own.length === 0) return new ApiError('not_found', { message: 'This address is not claimed.' });
  const suggestion = nearestWord(given, own);
  return new ApiError('not_found', {
    message: `This address is not claimed. Did you mean ${suggestion}?`,
    fields: { suggestion },
  });
}
