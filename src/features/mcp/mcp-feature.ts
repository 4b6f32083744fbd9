import type { Server } from 'node:http';
import type { Endpoint } from '../../api/endpoint.ts';
import { type FeatureContext, type FeatureParts, feature } from '../../feature.ts';
import { mayCall } from '../../http/pipeline/authenticate.ts';
import type { PipelinePorts } from '../../http/pipeline/request-pipeline.ts';
import { revealsSecret } from '../../http/transact.ts';
import { Methods } from './json-rpc-methods.ts';
import { type McpServer, mcpRoutes } from './mcp-routes.ts';
import { isBarred, OperationIndex } from './operation-index.ts';
import { ToolCalls } from './tool-call.ts';
import { type McpDeps, Toolbox } from './toolbox.ts';

type Needs = FeatureContext & Pick<McpDeps, 'credentials' | 'waitFor'>;
type Table = Parameters<NonNullable<FeatureParts['attach']>>[2];

/** Offers the endpoints to models, as tools of the Model Context Protocol. */
export const mcpFeature = feature('mcp', (needs: Needs) => {
  let built: McpServer | undefined;
  const attached = (): McpServer => {
    if (built === undefined) throw new Error('the endpoints are not known yet');
    return built;
  };

  function attach(_server: Server, ports: PipelinePorts, { dispatch, endpoints }: Table): void {
    const isBarredTo = (endpoint: Endpoint): boolean => isBarred(endpoint, revealsSecret);
    const toolbox = new Toolbox(endpoints, mayCall);
    const deps: McpDeps = { ...needs, dispatch, host: needs.config.host };
    const calls = new ToolCalls(deps, toolbox, new OperationIndex(endpoints, isBarredTo));
    built = { deps, toolbox, meter: ports.meter, methods: new Methods(deps, toolbox, calls) };
  }

  return { endpoints: mcpRoutes(attached), attach };
});
