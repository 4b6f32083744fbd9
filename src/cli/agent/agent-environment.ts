import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the agents' commands read from the environment. They start without the configuration of the service. */
export interface AgentEnvironment {
  url: string | undefined;
  key: string | undefined;
  seed: string | undefined;
  profile: string | undefined;
  /** What opens a page. */
  browser: string | undefined;
  /** The folder of the login and the seeds. */
  folder: string;
}

/** The only place of the agents' commands that reads the environment. An empty variable counts as unset. */
export function agentEnvironment(): AgentEnvironment {
  const { SIGNET_URL, SIGNET_KEY, SIGNET_SEED, SIGNET_PROFILE, BROWSER, XDG_CONFIG_HOME, HOME } = process.env;
  return {
    url: SIGNET_URL || undefined,
    key: SIGNET_KEY || undefined,
    seed: SIGNET_SEED || undefined,
    profile: SIGNET_PROFILE || undefined,
    browser: BROWSER || undefined,
    folder: join(XDG_CONFIG_HOME || join(HOME || homedir(), '.config'), 'signet'),
  };
}
