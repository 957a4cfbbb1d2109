import type { FieldFaults } from '../field-faults.ts';
import { CARRIERS, type CarrierName } from './carriers.ts';

/** A number that is to be imported, as it is written. */
export interface NumberDraft {
  readonly carrier: CarrierName;
  readonly number: string;
  readonly label: string;
  /** With an account of its own, in place of the service's. */
  readonly ownAccount: boolean;
  readonly account: Readonly<Record<string, string>>;
}

interface NumberImport {
  readonly number: string;
  readonly label: string;
  readonly credentials?: Readonly<Record<string, string>>;
}

const E164 = /^\+[1-9]\d{1,14}$/;
const TEST_NUMBERS = 10_000;

/** A number without the marks that people write into it. */
export function plainNumber(text: string): string {
  return text
    .trim()
    .replace(/^00/, '+')
    .replaceAll(/[\s().\-/]/g, '');
}

/** Why it is no number that can be called; nothing: it is one. */
export function faultOfNumber(text: string): string | undefined {
  const number = plainNumber(text);
  if (number === '') return 'Write the number.';
  if (!number.startsWith('+')) return 'Begin with + and the country, such as +1 415 555 0123.';
  return E164.test(number) ? undefined : 'That is no telephone number.';
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

/** A number for trying out that the team has not yet; those of 555 are nobody's. */
export function freeTestNumber(taken: readonly string[], random: () => number): string {
  const first = Math.floor(random() * TEST_NUMBERS);
  for (let step = 0; step < TEST_NUMBERS; step++) {
    const number = `+1500555${String((first + step) % TEST_NUMBERS).padStart(4, '0')}`;
    if (!taken.includes(number)) return number;
  }
  throw new Error('every test number is taken');
}
