import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';

type Strip = (value: unknown) => unknown;

interface SchemaNode {
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  'x-guidance'?: boolean;
}

/** Whether a reply keeps its text for people. */
export const wantsGuidance = (request: FastifyRequest): boolean =>
  (request.query as { verbose?: string })?.verbose !== 'false';

/**
 * Compiles what `?verbose=false` does to a reply: it removes fields that the schema marks as guidance, at any depth. The
 * schema decides, not the name of the field, so user data with a field `note` is not changed.
 * @returns null when there is nothing to remove
 */
export function compileGuidanceRemoval(schema: TSchema): Strip | null {
  return compileNode(schema as SchemaNode);
}

function compileNode(node: SchemaNode): Strip | null {
  if (node.anyOf) {
    const strips = node.anyOf.map(compileNode).filter((strip) => strip !== null);
    return strips.length === 0 ? null : (value) => strips.reduce((rest, strip) => strip(rest), value);
  }
  if (node.items) {
    const strip = compileNode(node.items);
    return strip && ((value) => (Array.isArray(value) ? value.map(strip) : value));
  }
  return node.properties ? compileObject(node.properties) : null;
}

function compileObject(properties: Record<string, SchemaNode>): Strip | null {
  const removed: string[] = [];
  const nested: [string, Strip][] = [];
  for (const [name, node] of Object.entries(properties)) {
    if (node['x-guidance']) removed.push(name);
    else {
      const strip = compileNode(node);
      if (strip) nested.push([name, strip]);
    }
  }
  if (removed.length === 0 && nested.length === 0) return null;
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const rest: Record<string, unknown> = { ...value };
    for (const name of removed) delete rest[name];
    for (const [name, strip] of nested) if (name in rest) rest[name] = strip(rest[name]);
    return rest;
  };
}
