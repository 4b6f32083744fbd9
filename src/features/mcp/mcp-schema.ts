import { nullable, record, text } from '../../api/fields.ts';
import { Type } from '../../base/schema.ts';

const anything = (description: string) => Type.Unsafe<Record<string, unknown>>({ type: 'object', description });
const RpcIdField = Type.Unsafe<string | number>({ type: ['string', 'number'] });

/** One message of JSON-RPC 2.0. */
export const RpcBody = record({
  jsonrpc: Type.Optional(text(3, { examples: ['2.0'] })),
  id: Type.Optional(RpcIdField),
  method: Type.Optional(text(100, { examples: ['tools/list'] })),
  params: Type.Optional(anything('By method.')),
});

export const RpcReply = record({
  jsonrpc: Type.String(),
  id: nullable(RpcIdField),
  result: Type.Optional(anything('By method.')),
  error: Type.Optional(anything('`code` and `message`.')),
});
