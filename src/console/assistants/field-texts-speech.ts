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
    help: 'Tried in this order: the second speaks when the first fails.',
  },
  'config.speech.ttsData.*.enabled': { label: 'In use' },
  'config.speech.ttsData.*.vendor': { label: 'Vendor' },
  'config.speech.ttsData.*.language': { label: 'Language', widget: 'language' },
  'config.speech.ttsData.*.voice': { label: 'Voice', placeholder: "The vendor's default" },
  'config.speech.ttsData.*.config': {
    label: 'Fine settings',
    widget: 'folded',
    help: 'A vendor ignores those it has no notion of.',
  },
  'config.speech.ttsData.*.config.modelId': {
    label: 'Voice model',
    placeholder: "The vendor's default",
    help: '',
  },
  'config.speech.ttsData.*.config.stability': { label: 'Stability' },
  'config.speech.ttsData.*.config.similarityBoost': { label: 'Similarity' },
  'config.speech.ttsData.*.config.speakerBoost': { label: 'Boost the speaker' },
  'config.speech.ttsData.*.config.styleExaggeration': { label: 'Style' },
  'config.speech.ttsData.*.config.seed': {
    label: 'Seed',
    help: 'Same seed, same rendering, where the vendor can.',
  },
  'config.speech.ttsData.*.config.speed': { label: 'Speed', help: 'Times as fast.' },
  'config.speech.ttsData.*.config.applyTextNormalization': {
    label: 'Speak numbers and dates as a person would',
    help: '',
  },
  backgroundSound: { label: 'Background sound', widget: 'sound' },
  backgroundSoundVolume: {
    label: 'Its volume',
    unit: '%',
    when: (value) => value.backgroundSound !== 'disable',
  },
  ttsCacheEnabled: {
    label: 'Keep spoken phrases',
    help: 'What was said before is not made again: faster and cheaper.',
  },
  ttsAudioCacheScope: {
    label: 'Share them within',
    options: {
      assistant: 'this assistant',
      team: 'the team',
      global: 'everybody (deprecated)',
    },
    help: '',
    when: on('ttsCacheEnabled'),
  },

  'config.speech.stt': { label: 'Recogniser' },
  'config.speech.stt.vendor': { label: 'Vendor', help: 'Who turns speech into text.' },
  'config.speech.stt.languages': { label: 'Languages', widget: 'language' },
  'config.speech.sttFallback': { label: 'Second recogniser' },
  'config.speech.sttFallback.enabled': { label: 'Have a second recogniser' },
  'config.speech.sttFallback.vendor': { label: 'Vendor', when: fallback },
  'config.speech.sttFallback.languages': {
    label: 'Languages',
    widget: 'language',
    when: fallback,
  },
  hints: {
    label: 'Words to listen for',
    item: 'word',
    placeholder: 'A name or a term',
    help: 'Names and terms the recogniser should favour. Paste a list to add all of its lines.',
  },

  startSpeakingOptions: {
    label: 'When it answers',
    help: 'How long it waits until the caller is taken to be done.',
  },
  'startSpeakingOptions.smartEndpointing': {
    label: 'Who judges that the caller is done',
    options: { parley: 'Built in', off: 'Only the waits below' },
    help: 'Built in, or a turn-aware recogniser by its vendor name.',
  },
  'startSpeakingOptions.waitSeconds': { label: 'Least wait', unit: 's' },
  'startSpeakingOptions.onPunctuationSeconds': { label: 'After a full stop', unit: 's' },
  'startSpeakingOptions.onNoPunctuationSeconds': { label: 'After an open end', unit: 's' },
  'startSpeakingOptions.onNumberSeconds': { label: 'After a number', unit: 's' },
  'startSpeakingOptions.EngineBaseValue': { label: 'Base of the judgement', unit: 'ms' },
  'startSpeakingOptions.EngineScaleValue': { label: 'Scale of the judgement', unit: 'ms' },
  stopSpeakingOptions: { label: 'When it stops speaking' },
  'stopSpeakingOptions.numberOfWords': { label: 'Words that interrupt it', unit: 'words' },
  'stopSpeakingOptions.voiceSeconds': { label: 'Voice that holds it', unit: 's' },
  userInterruptionAckPlan: { label: 'Interrupted early' },
  'userInterruptionAckPlan.enabled': {
    label: 'Acknowledge early interruptions',
    help: 'A short “Sure, go ahead” instead of silence.',
  },
  'userInterruptionAckPlan.count': {
    label: 'At most',
    unit: 'times a call',
    help: '',
    when: acknowledges,
  },
  'userInterruptionAckPlan.words': {
    label: 'Early is up to',
    unit: 'words heard',
    when: acknowledges,
  },
  'userInterruptionAckPlan.phrases': {
    label: 'What it says then',
    item: 'phrase',
    when: acknowledges,
  },
  assistantBackchannelingEnabled: {
    label: 'Say “mhm” while listening',
    help: 'Short signs of attention while the caller speaks at length.',
  },
  idleTimeout: { label: 'Ask after a silence of', unit: 'seconds', help: 'An idle message.' },
  maxIdleMessagesInSequence: {
    label: 'Idle messages in a row',
    help: 'After the last one the call is ended.',
  },
};
