import { languageOf } from '../engine/language/language.ts';
import { repeat } from '../lib/repeat.ts';
import type { CallControl } from '../ports/call-control.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Db } from '../store/db.ts';
import { findSuspendedCalls, type SuspendedCall } from '../store/suspended-calls.ts';

interface Deps {
  readonly db: Db;
  /** The live calls of this process. */
  readonly calls: CallControl & { readonly callIds: readonly string[] };
  readonly clock: Clock;
  readonly log: Log;
}

const LOOK_MS = 2000;

const FAREWELLS: Readonly<Record<string, string>> = {
  en: 'Sorry, this service is not available any more. Goodbye.',
  de: 'Dieser Dienst steht leider nicht mehr zur Verfügung. Auf Wiederhören.',
  fr: 'Désolé, ce service n’est plus disponible. Au revoir.',
  es: 'Lo sentimos, este servicio ya no está disponible. Adiós.',
  pt: 'Desculpe, este serviço já não está disponível. Até logo.',
  it: 'Spiacenti, questo servizio non è più disponibile. Arrivederci.',
  nl: 'Sorry, deze dienst is niet meer beschikbaar. Tot ziens.',
  hi: 'क्षमा करें, यह सेवा अब उपलब्ध नहीं है। नमस्ते।',
  pl: 'Przepraszamy, ta usługa nie jest już dostępna. Do widzenia.',
  sv: 'Förlåt, den här tjänsten är inte längre tillgänglig. Hej då.',
};

/**
 * Ends this process's calls of suspended teams, with words, within two seconds: also those that began while their team
 * was being suspended. Returns what stops it.
 */
export function endSuspendedCalls({ db, calls, clock, log }: Deps): () => void {
  const told = new Set<string>();

  const end = async (call: SuspendedCall): Promise<void> => {
    const text = call.farewell ?? farewellIn(call.languages);
    const event = { type: 'control.end', text, reason: 'team-suspended' } as const;
    const { outcome } = await calls.command(call.id, event);
    // A call that is not in progress yet refuses, and is asked again.
    if (outcome === 'accepted') told.add(call.id);
  };

  const look = async (): Promise<void> => {
    const { callIds } = calls;
    for (const id of told) if (!callIds.includes(id)) told.delete(id);
    try {
      const asked = callIds.filter((id) => !told.has(id));
      for (const call of await findSuspendedCalls(db, { callIds: asked })) await end(call);
    } catch (error) {
      log.warn({ err: error }, 'calls of suspended teams could not be looked for');
    }
  };

  return repeat(clock, LOOK_MS, look);
}

function farewellIn(languages: string): string {
  const { tag } = languageOf(languages.split(',').map((one) => one.trim()));
  return FAREWELLS[tag] ?? (FAREWELLS.en as string);
}
