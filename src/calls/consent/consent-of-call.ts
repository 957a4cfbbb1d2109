import type { CallSettings } from '../../engine/settings/settings.ts';
import type { CallRecord } from '../../store/calls.ts';
import { announcementIn } from './consent-words.ts';
import { mustBeTold } from './recording-regions.ts';
import { ConsentWatch } from './watch-consent.ts';

/** What a call has to say before it is recorded; undefined if nothing. */
export function consentOfCall(
  { snapshot, callType, userNumber, assistantNumber }: CallRecord,
  languages: readonly string[],
): { readonly announcement: string; readonly watch: ConsentWatch } | undefined {
  // Calls of an earlier version have no such settings.
  const settings = snapshot.assistant.recordingConsent;
  if (!settings || settings.announce === 'never') return undefined;
  const isNeeded =
    settings.announce === 'always' ||
    callType === 'web' ||
    [userNumber, assistantNumber].some(mustBeTold);
  if (!isNeeded) return undefined;
  const { ask, onRefusal } = settings;
  const announcement = settings.text.trim() || announcementIn(languages, ask);
  return { announcement, watch: new ConsentWatch({ announcement, ask, onRefusal, languages }) };
}

/** The settings of a call that says the announcement first, to its end. */
export function announcing(settings: CallSettings, announcement: string): CallSettings {
  const { welcome } = settings;
  const message = [announcement, welcome.message].filter((text) => text !== '').join(' ');
  return {
    ...settings,
    welcome: { message, mode: 'assistant-speaks-first', interruptible: false },
  };
}
