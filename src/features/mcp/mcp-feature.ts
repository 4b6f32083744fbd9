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
import { onlyAddress, usableAddresses } from '../mail/mailboxes/default-address.ts';
import { HumanRules } from './elicitation.ts';
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
  const { baseUrl, config, credentials, database, onFault, waitFor } = needs;
  let built: { methods: Methods; toolbox: Toolbox; meter: Meter } | undefined;
  const attached = () => {
    if (built === undefined) throw new Error('the endpoints are not known yet');
    return built;
  };

  function attach(_server: Server, ports: PipelinePorts, { dispatch, endpoints }: Table): void {
    const isBarredTo = (endpoint: Endpoint): boolean => isBarred(endpoint, revealsSecret);
    const endpointOf = (operation: string): Endpoint => {
      const found = endpoints.find((one) => one.operation === operation);
      if (found === undefined) throw new Error(`there is no operation ${operation}`);
      return found;
    };
    const toolbox = new Toolbox({ endpoints, mayUse, isBarred: isBarredTo });
    const calls = new ToolCalls({
      dispatch,
      toolbox,
      baseUrl,
      operations: new OperationIndex(endpoints, isBarredTo),
      human: new HumanRules({ database, waitFor, baseUrl, endpointOf, isOpenTo: toolbox.isOpenTo }),
      addressesOf: (principal) => usableAddresses(database, principal),
      onlyAddress: (principal, name) => onlyAddress(database, principal, `/arguments/${name}`),
      onFault: (err) => onFault(err, 'a tool call failed'),
    });
    built = { toolbox, meter: ports.meter, methods: new Methods({ toolbox, calls, dispatch, baseUrl }) };
  }

  const { authenticate } = credentials;
  const endpoints = mcpRoutes({
    authenticate,
    methods: () => attached().methods,
    toolbox: () => attached().toolbox,
    count: async (principal, now) => (await countRequest(attached().meter, principal, now)).headers,
    baseUrl,
    host: config.host,
  });
  return { endpoints, attach };
});
