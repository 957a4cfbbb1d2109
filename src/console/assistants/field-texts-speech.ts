import type { FieldTexts } from '../form/field-text.ts';
import { type Values, valueAt } from '../form/value-path.ts';

const on =
  (path: string) =>
  (value: Values): boolean =>
    valueAt(value, path) === true;

const fallback = on('config.speech.sttFallback.enabled');
const acknowledges = on('userInterruptionAckPlan.enabled');

/** Fields of voices, recognition and turn-taking. */
export const SPEECH_FIELD_TEXTS: FieldTexts = {
  'config.speech.ttsData': {
    label: 'Voices',
    item: 'voice',
    help: 'Used in this order: if the first fails, the second takes over.',
  },
  'config.speech.ttsData.*.enabled': { label: 'Enabled' },
  'config.speech.ttsData.*.vendor': { label: 'Vendor', widget: 'vendor' },
  'config.speech.ttsData.*.language': { label: 'Language', widget: 'language' },
  'config.speech.ttsData.*.voice': {
    label: 'Voice',
    widget: 'voice',
    placeholder: "The vendor's default",
  },
  'config.speech.ttsData.*.config': {
    label: 'Voice settings',
    widget: 'folded',
    help: 'Vendors ignore settings they do not support.',
  },
  'config.speech.ttsData.*.config.modelId': {
    label: 'Voice model',
    placeholder: "The vendor's default",
    help: '',
  },
  'config.speech.ttsData.*.config.stability': { label: 'Stability' },
  'config.speech.ttsData.*.config.similarityBoost': { label: 'Similarity' },
  'config.speech.ttsData.*.config.speakerBoost': { label: 'Speaker boost' },
  'config.speech.ttsData.*.config.styleExaggeration': { label: 'Style' },
  'config.speech.ttsData.*.config.seed': {
    label: 'Seed',
    help: 'The same seed gives the same audio, if the vendor supports it.',
  },
  'config.speech.ttsData.*.config.speed': { label: 'Speed', help: '1 is the normal speed.' },
  'config.speech.ttsData.*.config.applyTextNormalization': {
    label: 'Text normalization: speak numbers and dates naturally',
    help: '',
  },
  backgroundSound: { label: 'Background sound', widget: 'sound' },
  backgroundSoundVolume: {
    label: 'Background volume',
    unit: '%',
    when: (value) => value.backgroundSound !== 'disable',
  },
  ttsCacheEnabled: {
    label: 'Cache spoken phrases',
    help: 'Repeated phrases are not synthesized again, which is faster and cheaper.',
  },
  ttsAudioCacheScope: {
    label: 'Share the cache within',
    options: {
      assistant: 'this assistant',
      team: 'the team',
      global: 'everybody (deprecated)',
    },
    help: '',
    when: on('ttsCacheEnabled'),
  },

  'config.speech.stt': { label: 'Speech-to-text' },
  'config.speech.stt.vendor': {
    label: 'Vendor',
    widget: 'vendor',
    help: 'The vendor that transcribes the caller.',
  },
  'config.speech.stt.languages': { label: 'Languages', widget: 'language' },
  'config.speech.sttFallback': { label: 'Fallback speech-to-text' },
  'config.speech.sttFallback.enabled': { label: 'Use a fallback vendor' },
  'config.speech.sttFallback.vendor': { label: 'Vendor', widget: 'vendor', when: fallback },
  'config.speech.sttFallback.languages': {
    label: 'Languages',
    widget: 'language',
    when: fallback,
  },
  hints: {
    label: 'Custom vocabulary',
    item: 'word',
    placeholder: 'A name or a term',
    help: 'Names and terms that transcription should prefer. Paste a list to add one entry per line.',
  },

  startSpeakingOptions: {
    label: 'Endpointing',
    help: 'How long the assistant waits until it takes the caller’s turn as finished. Too short cuts callers off; too long feels slow.',
  },
  'startSpeakingOptions.smartEndpointing': {
    label: 'End-of-turn detection',
    options: { parley: 'Built in', off: 'Off: only the waits below' },
    help: 'Built in, or the vendor of a speech-to-text model that detects the end of a turn.',
  },
  'startSpeakingOptions.waitSeconds': { label: 'Minimum wait', unit: 's' },
  'startSpeakingOptions.onPunctuationSeconds': {
    label: 'Wait after a finished sentence',
    unit: 's',
  },
  'startSpeakingOptions.onNoPunctuationSeconds': {
    label: 'Wait after an unfinished sentence',
    unit: 's',
  },
  'startSpeakingOptions.onNumberSeconds': {
    label: 'Wait after a number',
    unit: 's',
    help: 'Callers pause within numbers: “It is 555 … 0123”.',
  },
  'startSpeakingOptions.EngineBaseValue': { label: 'Detection: base wait', unit: 'ms' },
  'startSpeakingOptions.EngineScaleValue': { label: 'Detection: additional wait', unit: 'ms' },
  stopSpeakingOptions: {
    label: 'Barge-in',
    help: 'When a caller who speaks over the assistant makes it stop, such as “Wait, I meant Tuesday”.',
  },
  'stopSpeakingOptions.numberOfWords': {
    label: 'Words that interrupt the assistant',
    unit: 'words',
  },
  'stopSpeakingOptions.voiceSeconds': { label: 'Speech that pauses the assistant', unit: 's' },
  userInterruptionAckPlan: { label: 'Early interruptions' },
  'userInterruptionAckPlan.enabled': {
    label: 'Acknowledge early interruptions',
    help: 'Says a short “Sure, go ahead” instead of falling silent.',
  },
  'userInterruptionAckPlan.count': {
    label: 'Maximum',
    unit: 'times per call',
    help: '',
    when: acknowledges,
  },
  'userInterruptionAckPlan.words': {
    label: 'Counts as early up to',
    unit: 'words heard',
    when: acknowledges,
  },
  'userInterruptionAckPlan.phrases': {
    label: 'Acknowledgements',
    item: 'phrase',
    when: acknowledges,
  },
  assistantBackchannelingEnabled: {
    label: 'Backchannels: say “mhm” while listening',
    help: 'Shows attention while the caller speaks for long: caller: “So I came in last week, and …” – assistant: “mhm” – caller: “… it still hurts.”',
  },
  idleTimeout: {
    label: 'Idle message after a silence of',
    unit: 'seconds',
    help: 'Then the assistant asks whether the caller is still there.',
  },
  maxIdleMessagesInSequence: {
    label: 'Maximum idle messages in a row',
    help: 'After the last one, the assistant ends the call.',
  },
};
