import type { Server } from 'node:http';
import type { Endpoint } from '../../api/endpoint.ts';
import type { WaitFor } from '../../api/long-poll.ts';
import type { Principal } from '../../api/principal.ts';
import { type FeatureContext, type FeatureParts, feature } from '../../feature.ts';
import { requireAuthority } from '../../http/pipeline/authenticate.ts';
import type { PipelinePorts } from '../../http/pipeline/request-pipeline.ts';
import { countRequest, type Meter } from '../../http/pipeline/request-quota.ts';
import { revealsSecret } from '../../http/transact.ts';
import type { Credentials } from '../identity/login/authenticator.ts';
import { Methods } from './json-rpc-methods.ts';
import { mcpRoutes } from './mcp-routes.ts';
import { isBarred, OperationIndex } from './operation-index.ts';
import { ToolCalls } from './tool-call.ts';
import { Toolbox } from './toolbox.ts';

type Needs = FeatureContext & { credentials: Pick<Credentials, 'authenticate'>; waitFor: WaitFor };
type Table = Parameters<NonNullable<FeatureParts['attach']>>[2];

function mayUse(principal: Principal, endpoint: Endpoint): boolean {
  const { auth, scope } = endpoint;
  if (auth === 'none' || scope === undefined) return true;
  try {
    requireAuthority(principal, { ...endpoint, auth, scope, forClients: true });
    return true;
  } catch {
    return false;
  }
}

/** Offers the endpoints to models, as tools of the Model Context Protocol. */
export const mcpFeature = feature('mcp', (needs: Needs) => {
  const { baseUrl, config } = needs;
  let built: { methods: Methods; toolbox: Toolbox; meter: Meter } | undefined;
  const attached = () => {
    if (built === undefined) throw new Error('the endpoints are not known yet');
    return built;
  };

  function attach(_server: Server, ports: PipelinePorts, { dispatch, endpoints }: Table): void {
    const isBarredTo = (endpoint: Endpoint): boolean => isBarred(endpoint, revealsSecret);
    const toolbox = new Toolbox(endpoints, mayUse, isBarredTo);
    const deps = { ...needs, dispatch };
    const calls = new ToolCalls(deps, toolbox, new OperationIndex(endpoints, isBarredTo));
    built = { toolbox, meter: ports.meter, methods: new Methods(deps, toolbox, calls) };
  }

  const endpoints = mcpRoutes({
    authenticate: needs.credentials.authenticate,
    methods: () => attached().methods,
    toolbox: () => attached().toolbox,
    count: async (principal, now) => (await countRequest(attached().meter, principal, now)).headers,
    baseUrl,
    host: config.host,
  });
  return { endpoints, attach };
});
