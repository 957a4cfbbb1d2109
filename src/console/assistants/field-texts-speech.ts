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
  'config.speech.ttsData.*.config.stability': {
    label: 'Stability',
    help: 'How evenly it speaks. 0.3 sounds lively and differs from sentence to sentence; 0.9 sounds calm, like a newsreader.',
  },
  'config.speech.ttsData.*.config.similarityBoost': {
    label: 'Similarity',
    help: 'How closely it follows the recorded voice. Lower it if the voice crackles, such as to 0.6.',
  },
  'config.speech.ttsData.*.config.speakerBoost': {
    label: 'Speaker boost',
    help: 'Brings a cloned voice closer to the original speaker; adds a little latency.',
  },
  'config.speech.ttsData.*.config.styleExaggeration': {
    label: 'Style exaggeration',
    help: 'Overdoes the manner of the voice: a cheerful one at 0.5 sounds excited. 0 is the safest.',
  },
  'config.speech.ttsData.*.config.seed': {
    label: 'Seed',
    help: 'Any number, such as 7: the same text then sounds the same each time, if the vendor supports it.',
  },
  'config.speech.ttsData.*.config.speed': {
    label: 'Speed',
    help: '1 is the normal speed; 0.9 suits callers who write something down.',
  },
  'config.speech.ttsData.*.config.applyTextNormalization': {
    label: 'Text normalization: speak numbers and dates naturally',
    help: '“3/4 at 15:00” is spoken “March fourth at three p.m.”',
  },
  backgroundSound: { label: 'Background sound', widget: 'sound' },
  backgroundSoundVolume: {
    label: 'Background volume',
    unit: '%',
    when: (value) => value.backgroundSound !== 'disable',
  },
  ttsCacheEnabled: {
    label: 'Cache spoken phrases',
    help: 'The welcome and other repeated phrases are synthesised once and then played from the cache: faster and cheaper.',
  },
  ttsAudioCacheScope: {
    label: 'Share the cache within',
    options: {
      assistant: 'this assistant',
      team: 'the team',
      global: 'everyone (deprecated)',
    },
    help: '',
    when: on('ttsCacheEnabled'),
  },

  'config.speech.stt': { label: 'Speech-to-text' },
  'config.speech.stt.vendor': {
    label: 'Vendor',
    widget: 'vendor',
    help: 'The vendor that transcribes the caller. The built-in one needs no key, but knows few phrases beyond those of your knowledge bases and vocabulary: for free speech, choose another.',
  },
  'config.speech.stt.languages': { label: 'Languages', widget: 'language' },
  'config.speech.sttFallback': {
    label: 'Fallback speech-to-text',
    help: 'A second vendor that takes over in the middle of a call when the first fails or writes nothing down.',
  },
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
    help: 'Names and terms that transcription should prefer: with “Dr. Nguyen” here, it is not written “doctor when”. Paste a list to add one entry per line.',
  },

  startSpeakingOptions: {
    label: 'Endpointing',
    help: 'How long the assistant waits until it takes the caller’s turn as finished. Caller: “I’d like Tuesday …” (breathes) “… or Wednesday.” Too short answers in the breath; too long feels slow.',
  },
  'startSpeakingOptions.smartEndpointing': {
    label: 'End-of-turn detection',
    options: { parley: 'Built in', off: 'Off: only the waits below' },
    help: 'Judges by words and tone whether the caller is done: “My number is” is not a finished turn, “That’s all” is. Built in, or the vendor of a speech-to-text model that can tell.',
  },
  'startSpeakingOptions.waitSeconds': {
    label: 'Minimum wait',
    unit: 's',
    help: 'From the last word of the caller to the first of the reply. People leave 0.2 s; 0.4 feels unhurried.',
  },
  'startSpeakingOptions.onPunctuationSeconds': {
    label: 'Wait after a finished sentence',
    unit: 's',
    help: 'After “I’d like to book a table.”',
  },
  'startSpeakingOptions.onNoPunctuationSeconds': {
    label: 'Wait after an unfinished sentence',
    unit: 's',
    help: 'After “I’d like to book a …”',
  },
  'startSpeakingOptions.onNumberSeconds': {
    label: 'Wait after a number',
    unit: 's',
    help: 'Callers pause within numbers: “It is 555 … 0123”.',
  },
  'startSpeakingOptions.EngineBaseValue': {
    label: 'Detection: base wait',
    unit: 'ms',
    help: 'Always waited, even when the caller is surely done.',
  },
  'startSpeakingOptions.EngineScaleValue': {
    label: 'Detection: additional wait',
    unit: 'ms',
    help: 'Waited in full when the caller is surely not done, by half when it may be either. A value of 20 or less is read as seconds.',
  },
  stopSpeakingOptions: {
    label: 'Barge-in',
    help: 'When a caller who speaks over the assistant makes it stop, such as “Wait, I meant Tuesday”.',
  },
  'stopSpeakingOptions.numberOfWords': {
    label: 'Words that interrupt the assistant',
    unit: 'words',
    help: 'With 2, “Wait, stop” interrupts and “Yes” does not. With 0, the first word does.',
  },
  'stopSpeakingOptions.voiceSeconds': {
    label: 'Speech that pauses the assistant',
    unit: 's',
    help: 'Voice of this length (voice activity, VAD) makes it pause until the words are known. After a cough or a “mhm” it goes on.',
  },
  userInterruptionAckPlan: {
    label: 'Early interruptions',
    help: 'What it does when the caller breaks in right at the start of a reply.',
  },
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
    help: 'With 3, breaking in after “Our opening hours” is early, and later is not.',
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
    help: 'Then the assistant asks whether the caller is still there: “Are you still there?”',
  },
  maxIdleMessagesInSequence: {
    label: 'Maximum idle messages in a row',
    help: 'After the last one, the assistant ends the call.',
  },
};
