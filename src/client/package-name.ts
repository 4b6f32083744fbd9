/**
 * The name of the client's package on npm and PyPI, where the plain name belongs to other projects. It is in the examples of
 * the docs too: `test/static/names-in-docs.test.ts` names the pages that say another.
 */
export const PACKAGE_NAME = 'signet-identity';
