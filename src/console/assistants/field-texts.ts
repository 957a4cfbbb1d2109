import type { FieldTexts } from '../form/field-text.ts';
import { type Values, valueAt } from '../form/value-path.ts';
import { AFTER_FIELD_TEXTS } from './field-texts-after.ts';
import { PRIVACY_FIELD_TEXTS } from './field-texts-privacy.ts';
import { SPEECH_FIELD_TEXTS } from './field-texts-speech.ts';
import { WORKFLOW_FIELD_TEXTS } from './field-texts-workflow.ts';

const is =
  (path: string, wanted: unknown) =>
  (value: Values): boolean =>
    valueAt(value, path) === wanted;

const ends = is('assistantPredefinedTools.endCall', true);
const WELCOME_MODES = {
  'assistant-speaks-first': 'The assistant speaks first',
  'assistant-waits-for-user': 'The assistant waits for the caller',
  automatic: 'Automatic: it speaks if the caller stays silent',
};
/** Used for both an assistant's own field and its override. */
const OVERRIDABLE: FieldTexts = {
  welcomeMessage: {
    label: 'Welcome message',
    widget: 'template',
    help: 'Spoken first. Left empty, the model opens the conversation.',
  },
  welcomeMessageMode: { label: 'Who speaks first', options: WELCOME_MODES },
  welcomeMessageInterruptionsEnabled: {
    label: 'Allow barge-in during the welcome message',
    help: 'Barge-in: the caller speaks over the assistant and it stops. Off: the welcome is always said to its end.',
  },
  recordingEnabled: { label: 'Record calls' },
  recordAfterTransfer: { label: 'Keep recording after a transfer' },
  postCallTranscriptsEnabled: { label: 'Keep a transcript file' },
  maxConsecutiveTtsFailures: {
    label: 'Voice failures in a row before the call ends',
    help: 'With 3, the call ends after three replies in a row that could not be spoken. 0: never.',
  },
  warmTransferEnabled: {
    label: 'Warm transfer',
    help: 'Calls the operator first, while the caller waits on hold: “I have Ms Lee on the line about her invoice.” Off: the caller is passed on at once.',
  },
  warmTransferConversational: {
    label: 'Brief the operator first',
    help: 'The assistant tells the operator what the call is about and asks: “Can you take it now?” A voicemail that answers counts as a no, and the call returns to the assistant.',
  },
  holdMusicUrl: { label: 'Hold music', input: 'url', placeholder: 'https://' },
  warmTransferTimeout: {
    label: 'Ring the operator for',
    unit: 'seconds',
    help: 'Then the call returns to the assistant.',
  },
};

const CONVERSATION: FieldTexts = {
  name: { label: 'Name', help: 'Only your team sees it.' },
  assistantType: {
    label: 'Type',
    options: {
      single_prompt: 'Single prompt',
      workflow_based: 'Workflow',
    },
    help: 'Single prompt: one text says everything, which suits most. Workflow: steps with a prompt each, such as greet, ask for the date, confirm; the system prompt applies to all of them.',
  },
  assistantSystemPrompt: {
    label: 'System prompt',
    widget: 'template',
    tall: true,
    help: 'What the language model is told before every call. Describe its task, knowledge and tone, and what it must not do.',
    placeholder: 'You answer the phone of a dental practice. Find out what the caller needs …',
  },
  assistantWorkflow: {
    label: 'Workflow',
    widget: 'workflow',
    help: 'Select a step in the diagram to edit it.',
    when: is('assistantType', 'workflow_based'),
  },
  ...OVERRIDABLE,
};

const MODEL: FieldTexts = {
  assistantProvider: {
    label: 'Provider',
    widget: 'vendor',
    help: 'The vendor that hosts the language model.',
  },
  assistantModel: { label: 'Model', placeholder: "The provider's default" },
  assistantLLMUrl: {
    label: 'Model server',
    input: 'url',
    placeholder: 'https://models.example.com/v1',
    help: 'Any server that speaks the Chat Completions protocol of OpenAI, such as Ollama or vLLM: its base URL, to which `/chat/completions` is appended.',
    when: is('assistantProvider', 'custom-llm'),
  },
  assistantTemperature: {
    label: 'Temperature',
    help: 'Low values give consistent replies, high values varied ones: 0.2 for a desk with fixed answers, 0.9 for a chat.',
  },
  assistantMaxTokens: {
    label: 'Maximum length of a reply',
    unit: 'tokens',
    help: 'A token is about three quarters of a word: 250 are some fifteen spoken sentences.',
  },
  assistantResponseSplitter: {
    label: 'Split replies at',
    placeholder: 'the end of each sentence',
    help: 'Each piece is spoken as soon as it is written. Give a mark only if your prompt makes the model write one, such as |.',
  },
};

const TOOLS: FieldTexts = {
  assistantPredefinedTools: {
    label: 'Built-in tools',
    help: 'What the assistant may do in a call.',
  },
  'assistantPredefinedTools.knowledgeBase': { label: 'Search knowledge bases' },
  'assistantPredefinedTools.endCall': { label: 'End the call' },
  'assistantPredefinedTools.callForward': { label: 'Transfer the call' },
  'assistantPredefinedTools.sendSms': { label: 'Send text messages' },
  'assistantPredefinedTools.doNotCall': { label: 'Respect do-not-call requests' },
  'assistantPredefinedTools.appointment': { label: 'Book appointments' },
  'assistantPredefinedTools.waitList': { label: 'Manage a wait list' },
  'assistantPredefinedTools.volumeControl': { label: 'Change its volume' },
  assistantToolIds: {
    label: 'Tools',
    widget: 'tools',
    help: 'Functions on your servers that the assistant may call, such as one that looks an order up by its number.',
  },
  assistantKnowledgeBaseIds: {
    label: 'Knowledge bases',
    widget: 'knowledge-bases',
    help: 'The assistant searches these for answers. Adding one switches “Search knowledge bases” on.',
  },
};

const ENDING: FieldTexts = {
  endCallMessage: {
    label: 'Farewell',
    widget: 'template',
    help: 'Spoken before the assistant hangs up.',
    when: ends,
  },
  endCallToolDescription: {
    label: 'When to end the call',
    widget: 'area',
    help: 'Tells the model when to hang up. Leave empty for the built-in description.',
    when: ends,
  },
  endCallPhrases: {
    label: 'Phrases that end the call',
    item: 'phrase',
    help: 'The call ends when either side says one of them.',
    when: ends,
  },
  maxCallDuration: {
    label: 'Maximum length of a call',
    unit: 'minutes',
    help: 'Then the assistant ends the call.',
  },
};

const TRANSFER: FieldTexts = {
  callForwardData: {
    label: 'Transfer to',
    help: 'The default target when the assistant or a supervisor transfers a call.',
  },
  'callForwardData.phoneNumber': {
    label: 'Phone number',
    input: 'tel',
    placeholder: '+14155550123',
    help: 'With the country code.',
  },
  'callForwardData.extension': {
    label: 'Extension',
    help: 'Dialled after the call connects: digits, *, #, A–D. A comma or w is a pause.',
  },
  'callForwardData.name': { label: 'Name of the person or department', placeholder: 'Reception' },
  dtmfInputEnabled: {
    label: 'Accept keypad input',
    help: 'Keys pressed on the telephone (DTMF tones): “Enter your customer number, then #.” The assistant gets them as if the caller had said them.',
  },
};

const OVERRIDES: FieldTexts = {
  assistantOverrides: {
    label: 'Preset overrides',
    widget: 'optional',
    help: 'Replace the fields above in every call. Overrides of a single call replace both.',
  },
  'assistantOverrides.recordingPath': { label: 'Path of recordings', placeholder: 'clinic/calls' },
  'assistantOverrides.dynamicVariables': {
    label: 'Variables',
    item: 'variable',
    help: 'Values for {{name}} in prompts and spoken texts: with practice = Dr. Lee, “This is {{practice}}” is spoken “This is Dr. Lee”.',
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
  ...PRIVACY_FIELD_TEXTS,
  ...WORKFLOW_FIELD_TEXTS,
};
