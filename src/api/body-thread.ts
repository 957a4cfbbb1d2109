import { hash } from 'node:crypto';
import { serialize } from 'node:v8';
import { createContract, operationsOf } from '../contract/contract.ts';
import { invalid, Problem, type ProblemKind } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import { type FieldFault, validate } from '../contract/validation.ts';
import type { VendorCatalogue } from '../contract/vendors.ts';
import { answerTasks } from '../lib/compute-thread.ts';
import { type JsonBounds, readJson } from './read-json.ts';

export interface BodyTask {
  readonly bytes: Uint8Array;
  readonly bounds: JsonBounds;
  readonly vendors: VendorCatalogue;
  /** The id of the operation whose schema the body is validated by; absent: by none. */
  readonly operation: string | undefined;
}

/** What became of a body. */
export type BodyAnswer =
  /** `value`: as `deserialize` of node:v8 reads it. */
  | { readonly kind: 'read'; readonly value: Uint8Array; readonly sent: string }
  | {
      readonly kind: 'refused';
      readonly problem: ProblemKind;
      readonly message: string;
      readonly faults: readonly FieldFault[];
    };

let operations: ReadonlyMap<string, Operation> | undefined;

answerTasks(({ bytes, bounds, vendors, operation: id }: BodyTask): BodyAnswer => {
  try {
    const sent = readJson(bytes, bounds);
    // A process has one catalogue of vendors.
    operations ??= new Map(operationsOf(createContract(vendors)).map((one) => [one.id, one]));
    const schema = id === undefined ? undefined : operations.get(id)?.body;
    const checked = schema ? validate(schema, sent) : { ok: true as const, value: sent };
    if (!checked.ok) throw invalid(checked.faults);
    const value = serialize(checked.value);
    return { kind: 'read', value, sent: hash('sha256', JSON.stringify(sent)) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { kind: problem, message, faults } = error;
    return { kind: 'refused', problem, message, faults };
  }
});
