import type { NumberLine } from './number-account.ts';
import type { PhoneCall } from './phone-call.ts';

/** The phone calls that live in this process, by our id and by the carrier's. */
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

  /** Once the carrier has told its id of the call. */
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

  /** A call of these lines, by the carrier's id or by ours. */
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

  /** The call on this leg of one of the numbers; a carrier's id means nothing for another number. */
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
