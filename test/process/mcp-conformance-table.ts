/**
 * The scenarios of the conformance suite that this server is expected to fail, by the reason. The suite tests a server
 * that was built for it: its fixtures have no place in a service. A scenario that fails and is not here fails the run, and so
 * does one of these that passes.
 */
export const EXPECTED_FAILURES: readonly { reason: string; scenarios: Readonly<Record<string, readonly string[]>> }[] =
  [
    {
      reason: 'They call tools of the suite (test_simple_text, …), which a service has only for the suite.',
      scenarios: {
        '2026-07-28': [
          'tools-call-simple-text',
          'tools-call-image',
          'tools-call-audio',
          'tools-call-embedded-resource',
          'tools-call-mixed-content',
          'tools-call-error',
          'tools-call-with-progress',
          'json-schema-2020-12',
          'server-stateless:sep-2575-server-rejects-undeclared-capability',
          'server-stateless:sep-2575-missing-capability-http-400',
          'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
          'server-stateless:sep-2575-server-no-log-without-loglevel',
        ],
        '2025-11-25': [
          'tools-call-simple-text',
          'tools-call-image',
          'tools-call-audio',
          'tools-call-embedded-resource',
          'tools-call-mixed-content',
          'tools-call-error',
          'tools-call-with-progress',
          'json-schema-2020-12',
          'tools-call-with-logging',
          'tools-call-sampling',
          'tools-call-elicitation',
          'elicitation-sep1034-defaults',
          'elicitation-sep1330-enums',
        ],
      },
    },
    {
      reason: 'They read resources of the suite (test://static-text, …).',
      scenarios: {
        '2026-07-28': ['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
        '2025-11-25': ['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
      },
    },
    {
      reason: 'Questions to the user of tools of the suite. mcp-tools.test.ts asks with tools of our own.',
      scenarios: {
        '2026-07-28': [
          'input-required-result-basic-elicitation',
          'input-required-result-basic-sampling',
          'input-required-result-basic-list-roots',
          'input-required-result-request-state',
          'input-required-result-multiple-input-requests',
          'input-required-result-multi-round',
          'input-required-result-missing-input-response',
          'input-required-result-non-tool-request',
          'input-required-result-result-type',
          'input-required-result-tampered-state',
          'input-required-result-capability-check',
          'input-required-result-ignore-extra-params',
        ],
      },
    },
    {
      reason: 'Optional: prompts. There are none.',
      scenarios: {
        '2026-07-28': [
          'prompts-list',
          'prompts-get-simple',
          'prompts-get-with-args',
          'prompts-get-embedded-resource',
          'prompts-get-with-image',
          'caching:sep-2549-prompts-list-caching-hints',
        ],
        '2025-11-25': [
          'prompts-list',
          'prompts-get-simple',
          'prompts-get-with-args',
          'prompts-get-embedded-resource',
          'prompts-get-with-image',
        ],
      },
    },
    {
      reason: 'Optional: completion of arguments.',
      scenarios: {
        '2026-07-28': ['completion-complete'],
      },
    },
    {
      reason: 'Optional: arguments mirrored in headers (x-mcp-header). No tool needs it.',
      scenarios: {
        '2026-07-28': ['http-custom-header-server-validation'],
      },
    },
    {
      reason: 'Optional extension: tasks. Approvals have tools that wait.',
      scenarios: {
        '2026-07-28': [
          'tasks-lifecycle',
          'tasks-capability-negotiation',
          'tasks-wire-fields',
          'tasks-request-state-removal',
          'tasks-mrtr-input',
          'tasks-request-headers',
          'tasks-dispatch-and-envelope',
          'tasks-required-task-error',
          'tasks-mrtr-composition',
        ],
      },
    },
    {
      reason: 'Optional: subscriptions to resources.',
      scenarios: {
        '2025-11-25': ['resources-subscribe', 'resources-unsubscribe'],
      },
    },
    {
      reason: 'Optional: completion of arguments, and logging.',
      scenarios: {
        '2025-11-25': ['completion-complete', 'logging-set-level'],
      },
    },
    {
      reason: 'Optional: sessions.',
      scenarios: {
        '2025-11-25': ['server-sse-multiple-streams'],
      },
    },
  ];
