import type { ApiReply } from './harness.ts';

/** The body of a refusal without the page of its operation, to compare what different operations answer. */
export const saidIn = ({ text }: Pick<ApiReply, 'text'>): string => text.replace(/,"docs_url":"[^"]*"/, '');
