interface Chapter {
  readonly title: string;
  /** Markdown files of the repository, in their order; `api` is made from the contract. */
  readonly pages: readonly string[];
}

const docs = (...names: readonly string[]) => names.map((name) => `docs/${name}.md`);

/** The page that is made from the contract. */
export const API_PAGE = 'docs/api.md';

/** All pages of the documentation; the first is the start page. */
export const NAVIGATION: readonly Chapter[] = [
  { title: 'Begin', pages: ['README.md', ...docs('first-call', 'concepts', 'install')] },
  {
    title: 'Build an assistant',
    pages: docs(
      'assistants',
      'prompts',
      'tools',
      'knowledge',
      'versions',
      'testing-assistants',
      'what-if',
    ),
  },
  {
    title: 'Connect',
    pages: docs(
      'widget',
      'web',
      'rtvi',
      'media-socket',
      'client',
      'mcp',
      'webhooks',
      'carriers',
      'telephony-asterisk',
    ),
  },
  { title: 'Speech', pages: docs('local-speech', 'turn-taking', 'turn-models', 'bad-networks') },
  {
    title: 'Run it',
    pages: docs(
      'scale',
      'peers',
      'storage',
      'observe',
      'troubleshooting',
      'failures',
      'console-scale',
    ),
  },
  {
    title: 'Security and privacy',
    pages: [
      ...docs('security', 'teams', 'audit', 'privacy', 'redaction', 'consent', 'hipaa'),
      'SECURITY.md',
    ],
  },
  {
    title: 'Reference',
    pages: [API_PAGE, ...docs('conformance', 'console'), 'CHANGELOG.md'],
  },
  {
    title: 'How it is built',
    pages: [...docs('architecture', 'journal', 'testing'), 'CONTRIBUTING.md'],
  },
  {
    title: 'Decisions',
    pages: docs(
      ...[
        'README',
        'asterisk',
        'call-is-a-log',
        'direct-reads',
        'embedded-postgres',
        'layout',
        'offline-speech',
        'one-process',
        'one-schema',
        'packaged-node',
        'pg-driver',
        'statechart',
        'voice-activity',
      ].map((name) => `decisions/${name}`),
    ),
  },
];
