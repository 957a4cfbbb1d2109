import type { FieldTexts } from '../form/field-text.ts';
import { type Values, valueAt } from '../form/value-path.ts';

const on =
  (path: string) =>
  (value: Values): boolean =>
    valueAt(value, path) === true;

/** Field texts of one analysis step: its prompt and its timeout. */
function step(name: string, label: string, enabled: string, prompt: string): FieldTexts {
  const path = `assistantAnalysis.${name}`;
  const when = on(`${path}.enabled`);
  return {
    [path]: { label },
    [`${path}.enabled`]: { label: enabled },
    [`${path}.prompt`]: { label: prompt, widget: 'template', when },
    [`${path}.timeoutSeconds`]: { label: 'Timeout', unit: 'seconds', when },
  };
}

const RUBRICS = {
  NumericScale: 'A number from 1 to 10',
  DescriptiveScale: 'Excellent, good, fair or poor',
  Checklist: 'A checklist',
  Matrix: 'A matrix of criteria',
  PercentageScale: 'A percentage',
  LikertScale: 'Agreement on a scale',
  AutomaticRubric: 'Chosen automatically',
  PassFail: 'Passed or failed',
};

const sms = on('smsConfiguration.enabled');
const remembers = on('persistHistory.enabled');

/** Fields that take effect after the call: analysis, webhooks, texts, memory. */
export const AFTER_FIELD_TEXTS: FieldTexts = {
  ...step('summary', 'Summary', 'Write a summary of each call', 'Summary prompt'),
  ...step(
    'successEvaluation',
    'Success',
    'Evaluate whether the call succeeded',
    'Success criteria',
  ),
  'assistantAnalysis.successEvaluation.rubric': {
    label: 'Rubric',
    options: RUBRICS,
    help: 'The form of the verdict, such as “passed”, “8” or “80%”.',
    when: on('assistantAnalysis.successEvaluation.enabled'),
  },
  ...step('structuredData', 'Structured data', 'Extract data from each call', 'Extraction prompt'),
  'assistantAnalysis.structuredData.schema': {
    label: 'Fields to extract',
    widget: 'schema',
    help: 'Name and describe each field. The model fills them from the conversation: date = 2026-03-14, guests = 4.',
    when: on('assistantAnalysis.structuredData.enabled'),
  },
  assistantOutcome: {
    label: 'Outcome',
    item: 'value',
    help: 'Extracted values to show as the outcome of the call.',
  },
  'assistantOutcome.*.type': {
    label: 'Type',
    options: { string: 'Text', number: 'Number', boolean: 'Yes or no', date: 'Date' },
  },
  'assistantOutcome.*.field': { label: 'Extracted field', placeholder: 'booking.date' },

  assistantServer: {
    label: 'Webhooks',
    help: 'A webhook is a request that this service sends to your server by itself, such as “call CC-… has ended, here is its transcript”. Each has an id: one that comes twice, since your server’s answer was lost, has the same id.',
  },
  'assistantServer.enabled': { label: 'Send webhooks' },
  'assistantServer.url': {
    label: 'URL',
    input: 'url',
    placeholder: 'https://example.com/calls',
  },
  'assistantServer.timeoutSeconds': {
    label: 'Timeout',
    unit: 'seconds',
    help: 'How long your server may take to answer.',
  },
  'assistantServer.secret': {
    label: 'Secret',
    widget: 'secret',
    help: 'Your server checks with it that a request comes from here (Standard Webhooks). Empty: unsigned. After `whsec_` it is base64; any other text is the key itself.',
  },
  'assistantServer.headers': {
    label: 'Headers',
    item: 'header',
    widget: 'secret-record',
    help: 'Sent along with each request, such as Authorization: Bearer … for your own gateway.',
  },
  'assistantServer.messages': {
    label: 'Events',
    options: {
      'status-update': 'Call status',
      'conversation-update': 'New message',
      hang: 'Late reply',
      'end-of-call-report': 'End-of-call report',
      error: 'Errors',
    },
  },

  smsConfiguration: { label: 'Text messages' },
  'smsConfiguration.enabled': {
    label: 'Answer text messages',
    help: 'Replies to texts sent to its numbers, if the carrier supports them.',
  },
  'smsConfiguration.sameAsAssistant': {
    label: 'Use the same prompt as for calls',
    help: '',
    when: sms,
  },
  'smsConfiguration.smsPrompt': {
    label: 'Prompt for text messages',
    widget: 'template',
    when: (value) => sms(value) && !on('smsConfiguration.sameAsAssistant')(value),
  },
  persistHistory: { label: 'Memory of callers' },
  'persistHistory.enabled': {
    label: 'Remember earlier conversations',
    help: 'Gives the assistant the latest conversations with the same number.',
  },
  'persistHistory.call': { label: 'Calls', when: remembers },
  'persistHistory.sms': { label: 'Text messages', when: remembers },
  'persistHistory.retentionPeriod': {
    label: 'Keep for',
    unit: 'days',
    help: 'Older conversations are forgotten.',
    when: remembers,
  },
  retentionDays: {
    label: 'Retention',
    help: 'A shorter team rule takes precedence. Calls on hold are kept.',
  },
  'retentionDays.sound': {
    label: 'Delete recordings after',
    unit: 'days',
    help: 'Empty: with the call.',
  },
  'retentionDays.text': {
    label: 'Delete calls after',
    unit: 'days',
    help: 'Transcript, events, analysis and recording. Empty: never by this assistant’s rule.',
  },
};
