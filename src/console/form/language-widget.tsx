import { Combobox } from '../ui/combobox.tsx';
import type { WidgetProps } from './form-scope.ts';

/** Suggested tags; any other tag can be entered. */
const TAGS = [
  'en-US',
  'en-GB',
  'en-AU',
  'en-IN',
  'de-DE',
  'de-AT',
  'de-CH',
  'fr-FR',
  'fr-CA',
  'es-ES',
  'es-MX',
  'es-US',
  'it-IT',
  'pt-BR',
  'pt-PT',
  'nl-NL',
  'nl-BE',
  'da-DK',
  'sv-SE',
  'nb-NO',
  'fi-FI',
  'pl-PL',
  'cs-CZ',
  'sk-SK',
  'hu-HU',
  'ro-RO',
  'bg-BG',
  'el-GR',
  'uk-UA',
  'ru-RU',
  'tr-TR',
  'ar-SA',
  'he-IL',
  'hi-IN',
  'id-ID',
  'th-TH',
  'vi-VN',
  'ko-KR',
  'ja-JP',
  'zh-CN',
  'zh-TW',
] as const;

const NAMES = new Intl.DisplayNames('en', { type: 'language' });
const OPTIONS = TAGS.map((tag) => ({ value: tag, label: tag, detail: NAMES.of(tag) ?? tag }));

/** A language tag, searchable by name; where several are allowed, they are separated by commas. */
export function LanguageWidget({ id, text, value, onChange, help, error }: WidgetProps) {
  return (
    <Combobox
      id={id}
      label={text.label}
      help={help}
      error={error}
      freeText
      options={OPTIONS}
      value={typeof value === 'string' ? value : ''}
      onChange={onChange}
    />
  );
}
