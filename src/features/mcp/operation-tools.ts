import type { ToolGroup } from '../../api/tool.ts';
import type { Json } from './mcp-messages.ts';

interface OperationTool {
  /** Where it is offered; null is the group of all tools. */
  groups: readonly (ToolGroup | null)[];
  definition: Json & { name: string };
}

/** The two tools over the whole table of endpoints. */
export const OPERATION_TOOLS: readonly OperationTool[] = [
  {
    groups: [null, 'start'],
    definition: {
      name: 'find_operation',
      title: 'Find operation',
      description: 'Search the whole API for what no tool does. Returns operations with their arguments.',
      inputSchema: {
        type: 'object',
        properties: { query: { type: 'string', minLength: 1, maxLength: 200, description: 'A few words.' } },
        required: ['query'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
  },
  {
    groups: [null],
    definition: {
      name: 'call_operation',
      title: 'Call operation',
      description: 'Call an operation that find_operation returned as callable.',
      inputSchema: {
        type: 'object',
        properties: {
          id: { type: 'string', maxLength: 100, description: 'The operation, such as updateMessage.' },
          arguments: { type: 'object', description: 'Its arguments by name: path, query and body in one object.' },
          idempotency_key: { type: 'string', maxLength: 255, description: 'The same value when you repeat this call.' },
        },
        required: ['id'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
  },
];
