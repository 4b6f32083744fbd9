/**
 * Chooses the media type of `offers` that an `Accept` header prefers (RFC 9110 12.5.1). Chooses the first one if the
 * header is absent, matches none, or prefers several equally.
 */
export function preferredType<const T extends string>(accept: string | undefined, offers: readonly [T, ...T[]]): T {
  const ranges = (accept ?? '*/*').slice(0, 1000).split(',').map(readRange);
  const liking = (offer: string): number => {
    const [family] = offer.split('/');
    // The most specific range that matches decides.
    for (const name of [offer, `${family}/*`, '*/*']) {
      const range = ranges.find((one) => one.name === name);
      if (range) return range.quality;
    }
    return 0;
  };
  return offers.reduce((best, offer) => (liking(offer) > liking(best) ? offer : best));
}

function readRange(text: string): { name: string; quality: number } {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
  return { name, quality: Number.isNaN(quality) ? 0 : quality };
}
