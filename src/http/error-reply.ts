import { ApiError, type ErrorDetail } from '../kernel/errors.ts';

export interface ErrorBody extends Record<string, unknown> {
  error: string;
  message?: string;
  details?: (Omit<ErrorDetail, 'message'> & { message?: string })[];
}

/** Maps the errors that Fastify throws before a handler runs to our codes. */
function fromFramework(err: { code?: string; statusCode?: number }): ApiError {
  switch (err.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('body_too_large', { cause: err });
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

/** Turns anything thrown into an error of the table. A foreign error becomes `internal` and reveals no details. */
export const toApiError = (err: unknown): ApiError =>
  err instanceof ApiError ? err : fromFramework(err as { code?: string });

/** Builds the one error envelope (spec, Errors). `verbose=false` removes each `message`; codes and paths stay. */
export function errorBody(err: ApiError, verbose: boolean): ErrorBody {
  const body: ErrorBody = { error: err.code, ...err.fields };
  if (verbose) body.message = err.message;
  if (err.details) body.details = verbose ? err.details : err.details.map(({ path, code }) => ({ path, code }));
  return body;
}
