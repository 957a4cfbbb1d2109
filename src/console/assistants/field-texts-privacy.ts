import type { FieldTexts } from '../form/field-text.ts';
import { type Values, valueAt } from '../form/value-path.ts';

const redacts = (value: Values): boolean => {
  const kinds = valueAt(value, 'redaction.kinds');
  const words = valueAt(value, 'redaction.words');
  const url = valueAt(value, 'redaction.service.url');
  return [kinds, words].some((list) => Array.isArray(list) && list.length > 0) || Boolean(url);
};
const asksService = (value: Values): boolean => Boolean(valueAt(value, 'redaction.service.url'));

const announces = (value: Values): boolean =>
  valueAt(value, 'recordingConsent.announce') !== 'never';
const limitsHours = (value: Values): boolean => valueAt(value, 'callingHours.enabled') === true;

/** Fields about what is kept of a call, and about whom may be called when. */
export const PRIVACY_FIELD_TEXTS: FieldTexts = {
  callingHours: { label: 'Calling hours' },
  'callingHours.enabled': {
    label: 'Call only at certain hours',
    help: 'A call outside of these hours is refused.',
  },
  'callingHours.days': {
    label: 'Days',
    options: {
      monday: 'Monday',
      tuesday: 'Tuesday',
      wednesday: 'Wednesday',
      thursday: 'Thursday',
      friday: 'Friday',
      saturday: 'Saturday',
      sunday: 'Sunday',
    },
    when: limitsHours,
  },
  'callingHours.from': { label: 'From', placeholder: '08:00', help: '', when: limitsHours },
  'callingHours.to': { label: 'Until', placeholder: '21:00', when: limitsHours },
  'callingHours.timeZone': {
    label: 'Time zone',
    placeholder: 'Europe/Madrid',
    when: limitsHours,
  },
  recordingConsent: { label: 'Recording announcement' },
  'recordingConsent.announce': {
    label: 'Say that the call is recorded',
    options: { never: 'Never', 'by-region': 'By the region of the numbers', always: 'Always' },
  },
  'recordingConsent.text': { label: 'Announcement', when: announces },
  'recordingConsent.ask': { label: 'Ask, and record only with a yes', when: announces },
  'recordingConsent.onRefusal': {
    label: 'After a refusal',
    options: { delete: 'Delete what was recorded', cut: 'Keep what was recorded before' },
    when: announces,
  },
  redaction: {
    label: 'Redaction',
    help: 'Removes private data from the record: “My card is 4111 1111 …” is stored as “My card is [card]”.',
  },
  'redaction.kinds': {
    label: 'Remove',
    options: {
      card: 'Card numbers',
      'bank-account': 'Bank accounts',
      'identity-number': 'Identity numbers',
      phone: 'Phone numbers',
      name: 'Names',
      address: 'Addresses',
      'date-of-birth': 'Dates of birth',
      email: 'E-mail addresses',
      health: 'Words about health',
    },
  },
  'redaction.words': { label: 'Words of your own', item: 'Word or phrase' },
  'redaction.sound': {
    label: 'In the recording',
    options: { tone: 'A tone', silence: 'Silence', keep: 'Keep the words' },
    when: redacts,
  },
  'redaction.originals': {
    label: 'Removed originals',
    options: { discard: 'Discard it', sealed: 'Keep it encrypted, for admins' },
    help: 'An exact replay of the call needs the originals.',
    when: redacts,
  },
  'redaction.model': {
    label: 'Also redact earlier turns sent to the model',
    when: redacts,
  },
  'redaction.service': { label: 'Additional redaction service' },
  'redaction.service.url': {
    label: 'Address of a Presidio analyzer',
    input: 'url',
    help: 'Your own service, which finds more names and numbers than the built-in rules. Its base URL; `/analyze` is appended.',
    placeholder: 'https://',
  },
  'redaction.service.minScore': {
    label: 'Minimum score',
    help: 'How sure the analyzer must be: 0.9 removes little, 0.3 also removes much that is harmless.',
    when: asksService,
  },
  'redaction.service.timeoutSeconds': { label: 'Timeout', unit: 'seconds', when: asksService },
  'redaction.service.onFailure': {
    label: 'If it does not answer',
    options: { withhold: 'Keep nothing of the text', rules: 'Trust the built-in rules' },
    when: asksService,
  },
};
