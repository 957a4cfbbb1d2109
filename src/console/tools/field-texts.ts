import type { FieldTexts } from '../form/field-text.ts';

const ROLES = { assistant: 'Spoken', system: 'A hint to the model' };
const MESSAGES = {
  'request-start': 'When the server is asked',
  'request-response-delayed': 'While it takes long',
  'request-complete': 'When it has answered',
  'request-failed': 'When it failed',
};

/** Label of each tool field, with further text where its schema does not say enough. */
export const TOOL_TEXTS: FieldTexts = {
  'function.name': {
    label: 'Name',
    placeholder: 'book_table',
    help: 'How the model calls it: letters, digits, dashes and underscores.',
  },
  'function.description': {
    label: 'What it does, and when to use it',
    placeholder: 'Books a table. Use it once the caller has said day, time and number of guests.',
  },
  'function.parameters': {
    label: 'Arguments',
    widget: 'schema',
    help: 'What the model has to find out and hand over.',
  },
  'function.strict': {
    label: 'Strict',
    help: 'The model is held to the schema of the arguments, where its provider can.',
  },
  async: {
    label: 'Do not wait for the answer',
    help: 'The assistant goes on talking, and does not hear what came of it.',
  },
  'server.url': { label: 'Address', input: 'url', placeholder: 'https://example.com/tools/book' },
  'server.timeoutSeconds': { label: 'It may take', unit: 'seconds', help: 'To answer.' },
  'server.secret': { label: 'Secret', widget: 'secret' },
  'server.headers': { label: 'Headers', item: 'header', widget: 'secret-record' },
  messages: {
    label: 'What is said meanwhile',
    item: 'message',
    help: 'Of several for the same moment, one is chosen, or each has its time.',
  },
  'messages.*': { label: 'When', options: MESSAGES },
  'messages.*.content': { label: 'Text', widget: 'template' },
  'messages.*.blocking': { label: 'Finish saying it first' },
  'messages.*.timingMilliseconds': { label: 'After', unit: 'ms' },
  'messages.*.role': { label: 'As', options: ROLES, help: '' },
  'messages.*.endCallAfterSpokenEnabled': { label: 'Then end the call' },
};

/** The fields of a tool from top to bottom. */
export const TOOL_SECTIONS: readonly {
  readonly title: string;
  readonly paths: readonly string[];
}[] = [
  { title: 'What it is', paths: ['function.name', 'function.description'] },
  { title: 'Arguments', paths: ['function.parameters', 'function.strict'] },
  {
    title: 'Your server',
    paths: ['server.url', 'server.timeoutSeconds', 'server.secret', 'server.headers', 'async'],
  },
  { title: 'Messages', paths: ['messages'] },
];
