import type { NumberLine } from './number-line.ts';
import type { PhoneCall } from './phone-call.ts';

/** The live phone calls of this process, by call id and by the carrier's id. */
export class LivePhoneCalls {
  readonly #byId = new Map<string, PhoneCall>();
  readonly #byLeg = new Map<string, PhoneCall>();

  all(): readonly PhoneCall[] {
    return [...this.#byId.values()];
  }

  add(call: PhoneCall): void {
    this.#byId.set(call.record.id, call);
    this.index(call);
  }

  /** To be called when the carrier's id of the call becomes known. */
  index(call: PhoneCall): void {
    if (call.carrierCallId !== undefined)
      this.#byLeg.set(key(call.line.number.id, call.carrierCallId), call);
  }

  delete(call: PhoneCall): void {
    this.#byId.delete(call.record.id);
    if (call.carrierCallId !== undefined)
      this.#byLeg.delete(key(call.line.number.id, call.carrierCallId));
  }

  find(callId: string): PhoneCall | undefined {
    return this.#byId.get(callId);
  }

  /** A call of these lines, by the carrier's id, else by the call id. */
  findAmong(
    lines: readonly Pick<NumberLine, 'number'>[],
    carrierCallId: string,
    callId?: string,
  ): PhoneCall | undefined {
    const numberIds = lines.map(({ number }) => number.id);
    const ofCarrier = this.findLeg(numberIds, carrierCallId);
    const call = ofCarrier ?? (callId === undefined ? undefined : this.find(callId));
    return call && numberIds.includes(call.line.number.id) ? call : undefined;
  }

  /** The call with this carrier's id at one of the numbers; the same id at another number is another call. */
  findLeg(numberIds: readonly string[], carrierCallId: string): PhoneCall | undefined {
    for (const numberId of numberIds) {
      const call = this.#byLeg.get(key(numberId, carrierCallId));
      if (call) return call;
    }
    return undefined;
  }
}

function key(numberId: string, carrierCallId: string): string {
  return `${numberId} ${carrierCallId}`;
}
