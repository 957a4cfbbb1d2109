import type { Clock, Timer } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { type AuditNote, appendAudit, SERVICE_CHAIN } from '../../store/audit.ts';
import type { Db } from '../../store/db.ts';

/** Takes notes of what is to be logged; never waits, and never fails. */
export interface AuditNotes {
  note(note: Omit<AuditNote, 'at'>): void;
}

export interface AuditTrailLimits {
  /** Notes are written together after this time. @defaultValue 200 */
  readonly gatherMs: number;
  /** Notes of one transaction. @defaultValue 500 */
  readonly group: number;
  /** Notes that wait; beyond them notes are lost, and counted. @defaultValue 10000 */
  readonly waiting: number;
  /** After a failure it is tried again after this time. @defaultValue 2000 */
  readonly retryMs: number;
  /** Within this time the same reading, or the same refusal, is one entry. @defaultValue 60000 */
  readonly sameMs: number;
}

export const auditTrailDefaults = {
  gatherMs: 200,
  group: 500,
  waiting: 10_000,
  retryMs: 2000,
  sameMs: 60_000,
} as const satisfies AuditTrailLimits;

const MAX_REMEMBERED = 10_000;

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<AuditTrailLimits>;
}

/** Writes the audit log in groups, beside the requests that it is about. */
export class AuditTrail implements AuditNotes {
  readonly #deps: Deps;
  readonly #limits: AuditTrailLimits;
  #waiting: AuditNote[] = [];
  #lost = 0;
  #timer: Timer;
  #writing: Promise<void> | undefined;
  // Oldest first.
  readonly #recent = new Map<string, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#limits = { ...auditTrailDefaults, ...deps.limits };
  }

  /** Notes that are not in the database: those that wait, and those that were lost and not yet told of. */
  get unwritten(): number {
    return this.#waiting.length + this.#lost;
  }

  note(note: Omit<AuditNote, 'at'>): void {
    const at = this.#deps.clock.now();
    if (this.#waiting.length >= this.#limits.waiting) {
      this.#lost++;
      return;
    }
    this.#waiting.push({ ...note, at: new Date(at) });
    this.#schedule(this.#limits.gatherMs);
  }

  /** {@link note}, unless the same was noted within a minute: pages ask for the same things again and again. */
  noteRepeated(note: Omit<AuditNote, 'at'>): void {
    const { chain, actor, action, subject, outcome, address } = note;
    const same = JSON.stringify([chain, actor.type, actor.id, action, subject, outcome, address]);
    const now = this.#deps.clock.now();
    const last = this.#recent.get(same);
    if (last !== undefined && now - last < this.#limits.sameMs) return;
    this.#recent.delete(same);
    this.#recent.set(same, now);
    if (this.#recent.size > MAX_REMEMBERED) {
      const [oldest] = this.#recent.keys();
      if (oldest !== undefined) this.#recent.delete(oldest);
    }
    this.note(note);
  }

  /** Writes what waits; tries once. */
  async flush(): Promise<void> {
    await this.#writing;
    await this.#writeAll();
    this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(afterMs: number): void {
    if (this.#timer !== undefined || this.#writing) return;
    this.#timer = this.#deps.clock.setTimeout(() => {
      this.#timer = undefined;
      void this.#writeAll();
    }, afterMs);
  }

  /** Writes one group after the other, never two at once: they would hold the same notes. */
  #writeAll(): Promise<void> {
    this.#writing ??= this.#writeGroups().finally(() => {
      this.#writing = undefined;
      if (this.#waiting.length > 0) this.#schedule(this.#limits.retryMs);
    });
    return this.#writing;
  }

  async #writeGroups(): Promise<void> {
    while (this.#waiting.length > 0 && (await this.#write()));
  }

  /** Writes one group; false if it failed. */
  async #write(): Promise<boolean> {
    const { db, clock, log } = this.#deps;
    const group = this.#waiting.slice(0, this.#limits.group);
    const lost = this.#lost;
    const told: AuditNote[] =
      lost === 0
        ? []
        : [
            {
              ...{ chain: SERVICE_CHAIN, at: new Date(clock.now()), actor: { type: 'service' } },
              ...{ action: 'auditEntriesLost', subject: String(lost), outcome: 'refused' },
            },
          ];
    try {
      await appendAudit(db, [...group, ...told]);
    } catch (err) {
      log.error({ err, waiting: this.unwritten }, 'the audit log could not be written');
      return false;
    }
    this.#waiting = this.#waiting.slice(group.length);
    this.#lost -= lost;
    return true;
  }
}
