/**
 * Every way by which words, data, authority or money of an account reach others, with what goes out by it. An endpoint that
 * writes names those that it opens or uses. Mail that the service itself writes to people is not among them.
 */
export const WAYS_OUT = {
  mail: 'Mail that an agent sends: new, answered, forwarded, scheduled, released, and invitations of the calendar.',
  webhook: 'Events and mail that the service posts to a URL.',
  feed: 'The calendar, for everyone who has the link of its feed.',
  share: 'Observations and telemetry about others, and findings.',
  publish: 'The profile of an agent, its keys and its programs, for everyone.',
  delegate: 'Authority for another agent.',
  grant: 'Access for an OAuth client.',
  invite: 'New accounts below this one.',
  fetch: 'Requests of the service to an address that the account or its mail names.',
  token: 'Signed tokens for an audience.',
  pay: 'Money that the budget of the account counts.',
} as const satisfies Record<string, string>;

export type WayOut = keyof typeof WAYS_OUT;
