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
    [`${path}.timeoutSeconds`]: { label: 'It may take', unit: 'seconds', when },
  };
}

const RUBRICS = {
  NumericScale: 'A number from 1 to 10',
  DescriptiveScale: 'Excellent, good, fair or poor',
  Checklist: 'A checklist',
  Matrix: 'A matrix of criteria',
  PercentageScale: 'A percentage',
  LikertScale: 'Agreement on a scale',
  AutomaticRubric: 'What fits the prompt',
  PassFail: 'Passed or failed',
};

const sms = on('smsConfiguration.enabled');
const remembers = on('persistHistory.enabled');

/** Fields that take effect after the call: analysis, webhooks, texts, memory. */
export const AFTER_FIELD_TEXTS: FieldTexts = {
  ...step('summary', 'Summary', 'Write a summary of each call', 'What the summary should say'),
  ...step('successEvaluation', 'Success', 'Judge whether the call succeeded', 'What success is'),
  'assistantAnalysis.successEvaluation.rubric': {
    label: 'Judged by',
    options: RUBRICS,
    when: on('assistantAnalysis.successEvaluation.enabled'),
  },
  ...step('structuredData', 'Data', 'Take data out of each call', 'How to fill the data'),
  'assistantAnalysis.structuredData.schema': {
    label: 'Data wanted',
    widget: 'schema',
    help: 'Each field with what it holds; the model fills them from the conversation.',
    when: on('assistantAnalysis.structuredData.enabled'),
  },
  assistantOutcome: {
    label: 'Outcome',
    item: 'value',
    help: 'Values that are copied out of the data into the outcome of the call.',
  },
  'assistantOutcome.*.type': {
    label: 'Read as',
    options: { string: 'Text', number: 'Number', boolean: 'Yes or no', date: 'Date' },
  },
  'assistantOutcome.*.field': { label: 'Field of the data', placeholder: 'booking.date' },

  assistantServer: {
    label: 'Your server',
    help: 'Hears about calls as they happen, by signed requests.',
  },
  'assistantServer.enabled': { label: 'Send messages about calls' },
  'assistantServer.url': {
    label: 'Address',
    input: 'url',
    placeholder: 'https://example.com/calls',
  },
  'assistantServer.timeoutSeconds': {
    label: 'It may take',
    unit: 'seconds',
    help: 'To answer a request.',
  },
  'assistantServer.secret': { label: 'Secret', widget: 'secret' },
  'assistantServer.headers': { label: 'Headers', item: 'header', widget: 'secret-record' },
  'assistantServer.messages': {
    label: 'What it hears of',
    options: {
      'status-update': 'Status of the call',
      'conversation-update': 'Each new message',
      hang: 'A reply that is late',
      'end-of-call-report': 'Report at the end',
      error: 'Errors',
    },
  },

  smsConfiguration: { label: 'Text messages' },
  'smsConfiguration.enabled': {
    label: 'Answer text messages',
    help: 'To its numbers, where the carrier passes them on.',
  },
  'smsConfiguration.sameAsAssistant': {
    label: 'With the same prompt as calls',
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
    help: 'The last ones with the same number open the next.',
  },
  'persistHistory.call': { label: 'Calls', when: remembers },
  'persistHistory.sms': { label: 'Text messages', when: remembers },
  'persistHistory.retentionPeriod': {
    label: 'For',
    unit: 'days',
    help: 'What is older is forgotten.',
    when: remembers,
  },
};
