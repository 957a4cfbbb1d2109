import type { FieldTexts } from '../form/field-text.ts';

const ROLES = { assistant: 'Spoken', system: 'Hint to the model' };
const MESSAGES = {
  'request-start': 'When the request starts',
  'request-response-delayed': 'When the answer is delayed',
  'request-complete': 'When the server has answered',
  'request-failed': 'When the request failed',
};

/** Label of each tool field, with further text where its schema does not say enough. */
export const TOOL_TEXTS: FieldTexts = {
  type: {
    label: 'Type',
    options: { function: 'Function', mcp: 'MCP server' },
    help: 'An MCP (Model Context Protocol) server lists its tools when a call begins; arguments are not described here.',
  },
  'function.name': {
    label: 'Name',
    placeholder: 'book_table',
    help: 'The name for the model: letters, digits, dashes and underscores.',
  },
  'function.description': {
    label: 'Description for the model',
    placeholder: 'Books a table. Use it when you know the day, the time and the number of guests.',
  },
  'function.parameters': {
    label: 'Arguments',
    widget: 'schema',
    help: 'The values that the model must provide, such as the date and the number of guests.',
  },
  'function.strict': {
    label: 'Strict',
    help: 'Forces the model to give exactly these arguments, and no text where a number is asked for, if its vendor supports it.',
  },
  async: {
    label: 'Do not wait for the answer',
    help: 'The assistant continues at once and never gets the result.',
  },
  'server.url': { label: 'Address', input: 'url', placeholder: 'https://example.com/tools/book' },
  'server.timeoutSeconds': {
    label: 'Timeout',
    unit: 'seconds',
    help: 'How long your server may take to answer.',
  },
  'server.secret': {
    label: 'Secret',
    widget: 'secret',
    help: 'Your server checks with it that a request comes from here (Standard Webhooks). Empty: unsigned. After `whsec_` it is base64; any other text is the key itself.',
  },
  'server.idempotent': {
    label: 'Answers a repeated request without acting twice',
    help: 'It knows one by its `idempotency-key`. An answer that was lost when a call moved to another process is then asked for again, instead of telling the model that nobody knows whether it was done.',
  },
  'server.headers': { label: 'Headers', item: 'header', widget: 'secret-record' },
  mcpTools: {
    label: 'Offered tools',
    widget: 'server-tools',
    help: 'As its server lists them now, with the address and headers that are saved.',
  },
  messages: {
    label: 'Messages',
    item: 'message',
    help: 'If several fit, one is chosen at random; delayed ones are spoken at their own times.',
  },
  'messages.*': { label: 'When', options: MESSAGES },
  'messages.*.content': { label: 'Text', widget: 'template' },
  'messages.*.blocking': { label: 'Send the request after speaking' },
  'messages.*.timingMilliseconds': { label: 'Delay', unit: 'ms' },
  'messages.*.role': { label: 'Role', options: ROLES, help: '' },
  'messages.*.endCallAfterSpokenEnabled': { label: 'End the call afterwards' },
};

interface Section {
  readonly title: string;
  readonly paths: readonly string[];
}

/** The field that a tool keeps as it was made. */
export const NEW_TOOL_SECTION: Section = { title: 'Kind', paths: ['type'] };

const SERVER = [
  'server.url',
  'server.timeoutSeconds',
  'server.secret',
  'server.headers',
  'server.idempotent',
];
const MESSAGES_SECTION: Section = { title: 'Messages', paths: ['messages'] };

/** The fields of a tool from top to bottom, by its type. */
export const TOOL_SECTIONS: Readonly<Record<'function' | 'mcp', readonly Section[]>> = {
  function: [
    { title: 'Description', paths: ['function.name', 'function.description'] },
    { title: 'Arguments', paths: ['function.parameters', 'function.strict'] },
    { title: 'Your server', paths: [...SERVER, 'async'] },
    MESSAGES_SECTION,
  ],
  mcp: [
    { title: 'Description', paths: ['function.name'] },
    { title: 'Your server', paths: SERVER },
    { title: 'Its tools', paths: ['mcpTools', 'async'] },
    MESSAGES_SECTION,
  ],
};
