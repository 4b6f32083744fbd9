import { ApiError, type ErrorCode, type ErrorDetail } from '../../api/errors.ts';

export interface ErrorBody extends Record<string, unknown> {
  error: string;
  /** The same as `error`, for clients that look for it here. */
  code: string;
  message?: string;
  details?: (Omit<ErrorDetail, 'message'> & { message?: string })[];
}

/** Maps the errors that Fastify throws before a handler runs to our codes. */
function fromFramework(err: { code?: string; statusCode?: number }, bodyLimit: number | undefined): ApiError {
  switch (err.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('body_too_large', {
        message: `The body may have at most ${bodyLimit} bytes here.`,
        fields: { limit_bytes: bodyLimit },
        cause: err,
      });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('unsupported_media_type', { cause: err });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('invalid_request', {
        message: 'The length of the body differs from Content-Length.',
        cause: err,
      });
    case 'FST_ERR_BAD_URL':
      return new ApiError('invalid_request', {
        message: 'The path is not correctly percent-encoded (RFC 3986 2.1).',
        cause: err,
      });
    default:
      if (err.statusCode !== undefined && err.statusCode >= 400 && err.statusCode < 500) {
        return new ApiError('invalid_request', { message: 'The request could not be read.', cause: err });
      }
      return new ApiError('internal', { cause: err });
  }
}

/**
 * Turns anything thrown into an error of the table. A foreign error becomes `internal` and reveals no details.
 * @param bodyLimit of the route, in bytes
 */
export const toApiError = (err: unknown, bodyLimit?: number): ApiError =>
  err instanceof ApiError ? err : fromFramework(err as { code?: string }, bodyLimit);

/** The page that helps with an error, where it is not the page of the operation or of errors. */
const PAGES: Partial<Record<ErrorCode, string>> = {
  // The page of accounts has 31 KB.
  unauthorized: 'jobs/identity',
  insufficient_scope: 'api/createNamedKey',
  operator_required: 'operators',
  operator_email_required: 'operators',
  passkey_required: 'passkeys',
  payment_required: 'payments',
  payment_invalid: 'payments',
  budget_exceeded: 'budgets',
  single_tx_limit_exceeded: 'budgets',
  pod_suspended: 'pods',
  pod_auth_forbidden: 'pods',
  invalid_ciphertext: 'vault',
  delegation_ended: 'delegation',
  may_not_delegate: 'delegation',
};

/** The errors that a caller mends by reading what the operation takes. */
const OF_THE_REQUEST = new Set([400, 404, 405, 409, 412, 415]);

function docsPath(err: ApiError, operation: string | undefined): string {
  const page = PAGES[err.code];
  if (page !== undefined) return `/docs/${page}.md`;
  if (operation !== undefined && OF_THE_REQUEST.has(err.status)) return `/docs/api/${operation}.md`;
  return err.status === 404 ? '/llms.txt' : '/docs/errors-and-limits.md';
}

export interface ErrorContext {
  /** False: without text for people. */
  verbose: boolean;
  baseUrl: string;
  /** The operation that was called. Undefined for an unknown path. */
  operation?: string | undefined;
}

/** Builds the one error envelope (spec, Errors). `verbose=false` removes each `message`; codes and paths stay. */
export function errorBody(err: ApiError, { verbose, baseUrl, operation }: ErrorContext): ErrorBody {
  const suggestion = err.details?.find((detail) => detail.suggestion !== undefined)?.suggestion;
  const body: ErrorBody = {
    error: err.code,
    code: err.code,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...err.fields,
  };
  if (verbose) body.message = err.message;
  if (err.details) body.details = verbose ? err.details : err.details.map(({ message: _, ...kept }) => kept);
  body.docs_url = `${baseUrl}${docsPath(err, operation)}`;
  return body;
}
