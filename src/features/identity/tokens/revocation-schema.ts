import { text } from '../../../api/fields.ts';
import { Type } from '../../../base/schema.ts';

export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** OAuth clients may send these. They have no effect on tokens of agents. */
export const clientFields = {
  token_type_hint: Type.Optional(text(100)),
  client_id: Type.Optional(text(2048)),
  client_secret: Type.Optional(text(2048)),
};
