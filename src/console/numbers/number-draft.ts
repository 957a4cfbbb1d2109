import type { FieldFaults } from '../field-faults.ts';
import { CARRIERS, type CarrierName } from './carriers.ts';

/** A number to import, as entered. */
export interface NumberDraft {
  readonly carrier: CarrierName;
  readonly number: string;
  readonly label: string;
  /** Uses credentials of its own instead of the service's account. */
  readonly ownAccount: boolean;
  readonly account: Readonly<Record<string, string>>;
}

interface NumberImport {
  readonly number: string;
  readonly label: string;
  readonly credentials?: Readonly<Record<string, string>>;
}

const E164 = /^\+[1-9]\d{1,14}$/;

/** The number without formatting characters. */
export function plainNumber(text: string): string {
  return text
    .trim()
    .replace(/^00/, '+')
    .replaceAll(/[\s().\-/]/g, '');
}

/** Why this is not a number that can be called; undefined if it is one. */
export function faultOfNumber(text: string): string | undefined {
  const number = plainNumber(text);
  if (number === '') return 'Enter a number.';
  if (!number.startsWith('+')) return 'Begin with + and the country code, such as +1 415 555 0123.';
  return E164.test(number) ? undefined : 'This is not a valid phone number.';
}

export function faultsOfDraft(draft: NumberDraft): FieldFaults {
  const faults: Record<string, string> = {};
  const number = faultOfNumber(draft.number);
  if (number) faults.number = number;
  if (!draft.ownAccount) return faults;
  for (const { name, label, optional } of CARRIERS[draft.carrier].account)
    if (!optional && (draft.account[name] ?? '').trim() === '')
      faults[`credentials.${name}`] = `${label} is missing.`;
  return faults;
}

export function importOf({
  carrier,
  number,
  label,
  ownAccount,
  account,
}: NumberDraft): NumberImport {
  const given = CARRIERS[carrier].account.flatMap(({ name }): [string, string][] => {
    const value = account[name]?.trim() ?? '';
    return value === '' ? [] : [[name, value]];
  });
  return {
    number: plainNumber(number),
    label: label.trim(),
    ...(ownAccount ? { credentials: Object.fromEntries(given) } : {}),
  };
}
