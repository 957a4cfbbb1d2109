import type { FieldTexts } from '../form/field-text.ts';
import { type Values, valueAt } from '../form/value-path.ts';
import { AFTER_FIELD_TEXTS } from './field-texts-after.ts';
import { SPEECH_FIELD_TEXTS } from './field-texts-speech.ts';
import { WORKFLOW_FIELD_TEXTS } from './field-texts-workflow.ts';

const is =
  (path: string, wanted: unknown) =>
  (value: Values): boolean =>
    valueAt(value, path) === wanted;

const ends = is('assistantPredefinedTools.endCall', true);
const WELCOME_MODES = {
  'assistant-speaks-first': 'The assistant speaks first',
  'assistant-waits-for-user': 'It waits for the caller to speak',
  automatic: 'Automatic: it speaks if the caller does not',
};
/** Used for both an assistant's own field and its override. */
const OVERRIDABLE: FieldTexts = {
  welcomeMessage: {
    label: 'Welcome message',
    widget: 'template',
    help: 'Spoken first. Left empty, the model opens the conversation.',
  },
  welcomeMessageMode: { label: 'Who begins', options: WELCOME_MODES },
  welcomeMessageInterruptionsEnabled: {
    label: 'Callers may interrupt the welcome message',
    help: '',
  },
  recordingEnabled: { label: 'Record calls' },
  recordAfterTransfer: { label: 'Go on recording after a transfer' },
  postCallTranscriptsEnabled: { label: 'Keep a transcript file' },
  maxConsecutiveTtsFailures: { label: 'Turns without a voice before the call is ended' },
  warmTransferEnabled: {
    label: 'Warm transfer',
    help: 'The operator is called first, and the caller waits on hold until there is an answer.',
  },
  warmTransferConversational: { label: 'Brief the operator first' },
  holdMusicUrl: { label: 'Hold music', input: 'url', placeholder: 'https://' },
  warmTransferTimeout: {
    label: 'Ring the operator for',
    unit: 'seconds',
    help: 'Until the call goes back to the assistant.',
  },
};

const CONVERSATION: FieldTexts = {
  name: { label: 'Name', help: 'For you and your team; callers do not hear it.' },
  assistantType: {
    label: 'How it is led',
    options: {
      single_prompt: 'By one prompt',
      workflow_based: 'By a workflow of steps',
    },
    help: 'A workflow has steps with prompts of their own; the system prompt holds in all of them.',
  },
  assistantSystemPrompt: {
    label: 'System prompt',
    widget: 'template',
    help: 'Its task, what it knows, its manner, and what it must not do.',
    placeholder: 'You answer the phone of a dental practice. Find out what the caller needs …',
  },
  assistantWorkflow: {
    label: 'Workflow',
    widget: 'workflow',
    help: 'Press a step in the picture to come to its fields.',
    when: is('assistantType', 'workflow_based'),
  },
  ...OVERRIDABLE,
};

const MODEL: FieldTexts = {
  assistantProvider: { label: 'Provider', help: 'Who hosts the language model.' },
  assistantModel: { label: 'Model', placeholder: "The provider's default" },
  assistantLLMUrl: {
    label: 'Model server',
    input: 'url',
    placeholder: 'https://models.example.com/v1',
    help: 'Base URL; `/chat/completions` is appended.',
    when: is('assistantProvider', 'custom-llm'),
  },
  assistantTemperature: {
    label: 'Temperature',
    help: 'Low: sober and repeatable. High: varied.',
  },
  assistantMaxTokens: {
    label: 'Longest answer',
    unit: 'tokens',
  },
  assistantResponseSplitter: {
    label: 'Splits answers at',
    placeholder: 'the end of each sentence',
  },
};

const TOOLS: FieldTexts = {
  assistantPredefinedTools: {
    label: 'Abilities',
    help: 'What it may do by itself in a call.',
  },
  'assistantPredefinedTools.knowledgeBase': { label: 'Look things up in knowledge bases' },
  'assistantPredefinedTools.endCall': { label: 'End the call' },
  'assistantPredefinedTools.callForward': { label: 'Transfer the call' },
  'assistantPredefinedTools.sendSms': { label: 'Send text messages' },
  'assistantPredefinedTools.appointment': { label: 'Make appointments' },
  'assistantPredefinedTools.waitList': { label: 'Keep a wait list' },
  'assistantPredefinedTools.volumeControl': { label: 'Speak louder or softer' },
  assistantToolIds: {
    label: 'Tools',
    widget: 'tools',
    help: 'Functions on your own servers that it may call.',
  },
  assistantKnowledgeBaseIds: {
    label: 'Knowledge bases',
    widget: 'knowledge-bases',
    help: 'What it can look things up in.',
    when: is('assistantPredefinedTools.knowledgeBase', true),
  },
};

const ENDING: FieldTexts = {
  endCallMessage: {
    label: 'Farewell',
    widget: 'template',
    help: 'Said before it hangs up.',
    when: ends,
  },
  endCallToolDescription: {
    label: 'When to end the call',
    widget: 'area',
    help: 'Tells the model when to hang up; empty: the built-in description.',
    when: ends,
  },
  endCallPhrases: {
    label: 'Phrases that end the call',
    item: 'phrase',
    help: 'Said by either side, they end it.',
    when: ends,
  },
  maxCallDuration: {
    label: 'Longest call',
    unit: 'minutes',
    help: 'After that the call is ended.',
  },
};

const TRANSFER: FieldTexts = {
  callForwardData: {
    label: 'Where to transfer to',
    help: 'Used by the ability to transfer, and by whoever transfers a live call.',
  },
  'callForwardData.phoneNumber': {
    label: 'Phone number',
    input: 'tel',
    placeholder: '+14155550123',
    help: 'With the country code.',
  },
  'callForwardData.extension': {
    label: 'Extension',
    help: 'Dialled once connected: digits, * # A–D; , and w are pauses.',
  },
  'callForwardData.name': { label: 'Who that is', placeholder: 'Reception' },
  dtmfInputEnabled: {
    label: 'Callers may press keys',
    help: 'What they key in reaches the assistant as their words.',
  },
};

const OVERRIDES: FieldTexts = {
  assistantOverrides: {
    label: 'Preset overrides',
    widget: 'optional',
    help: 'Laid over the fields above in every call; what a call itself brings goes over both.',
  },
  'assistantOverrides.recordingPath': { label: 'Path of recordings', placeholder: 'clinic/calls' },
  'assistantOverrides.dynamicVariables': {
    label: 'Variables',
    item: 'variable',
    help: 'Values of the `{{name}}` in spoken and prompted texts.',
  },
  ...Object.fromEntries(
    Object.entries(OVERRIDABLE).map(([name, text]) => [`assistantOverrides.${name}`, text]),
  ),
};

/** Label of each assistant field, with further text where its schema does not say enough. */
export const ASSISTANT_TEXTS: FieldTexts = {
  ...CONVERSATION,
  ...MODEL,
  ...TOOLS,
  ...ENDING,
  ...TRANSFER,
  ...OVERRIDES,
  ...SPEECH_FIELD_TEXTS,
  ...AFTER_FIELD_TEXTS,
  ...WORKFLOW_FIELD_TEXTS,
};
