/** Who may loosen limits, approve and change people's addresses: any credential of the account, or its operators alone. */
export const AUTHORITIES = ['account', 'operator'] as const;
export type Authority = (typeof AUTHORITIES)[number];
