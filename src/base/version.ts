import packageJson from '../../package.json' with { type: 'json' };

/** The version of the HTTP API: `version` in `/health`, `/ready` and the OpenAPI document. */
export const API_VERSION = '0.18.3';

/** The version of this software: `release` in `/health` and `/ready`. Set only in package.json. */
export const RELEASE: string = packageJson.version;
