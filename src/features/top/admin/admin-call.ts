/** A request to the administration API, after its caller was found to be the administrator. */
export interface AdminCall {
  /** The id in the path, of an account or a job. Empty where the path has none. */
  id: string;
  query: URLSearchParams;
  body: unknown;
}

export interface AdminReply {
  status: number;
  body: object;
}

/** The pages of the administration, which need no token: they hold nothing of the service. */
export interface AdminPages {
  /** @returns null: there is no such file */
  file(
    path: string,
    header: (name: string) => string | undefined,
  ): { status: number; headers: Readonly<Record<string, string>>; body: string | Buffer | null } | null;
}

export interface AdminRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The first group is an id. */
  path: RegExp;
  handle(call: AdminCall): Promise<AdminReply>;
}
