/** A request to the administration API, after its caller was found to be the administrator. */
export interface AdminCall {
  /** The account of the path. Empty where the path has none. */
  id: string;
  query: URLSearchParams;
  body: unknown;
}

export interface AdminReply {
  status: number;
  body: object;
}

export interface AdminRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The first group is the id of an account. */
  path: RegExp;
  handle(call: AdminCall): Promise<AdminReply>;
}
