/** Formats atomic units as USDC for people: 1,500,000 is `1.50`, 1 is `0.000001`. */
export function usdc(amount: number): string {
  const [whole = '', parts = ''] = (amount / 1_000_000).toFixed(6).split('.');
  return `${whole}.${parts.replace(/0{1,4}$/, '')}`;
}
