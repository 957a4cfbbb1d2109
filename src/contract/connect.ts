import { z } from 'zod';
import { assistantConfigSchema } from './assistant.ts';
import { AssistantOverridesSchema } from './assistant-overrides.ts';
import { VersionNameSchema } from './assistant-version.ts';
import { E164Schema, IdSchema, text } from './atoms.ts';
import { CallDirectionSchema } from './call.ts';
import type { VendorCatalogue } from './vendors.ts';

const MAX_METADATA_CHARS = 65_536;

const MetadataSchema = z
  .record(text(200), z.unknown())
  .refine(
    (metadata) => JSON.stringify(metadata).length <= MAX_METADATA_CHARS,
    `must not be larger than ${MAX_METADATA_CHARS} characters of JSON`,
  );

/**
 * The request that starts a call. The inline assistant takes precedence over `assistantId`, and that over the number's
 * assistant.
 */
export function connectSchema(vendors: VendorCatalogue) {
  return z
    .strictObject({
      direction: CallDirectionSchema,
      phoneNumberId: IdSchema.optional().describe('Absent: a web call.'),
      customer: z
        .strictObject({ number: E164Schema.optional(), name: text(200).optional() })
        .optional(),
      metadata: MetadataSchema.default({}),
      assistant: assistantConfigSchema(vendors).optional(),
      assistantId: IdSchema.optional(),
      assistantVersion: VersionNameSchema.optional().describe(
        'A version of `assistantId` or of the number’s assistant, by its number or a label; absent: the published one.',
      ),
      assistantOverrides: AssistantOverridesSchema.default({}),
    })
    .check((context) => {
      const { phoneNumberId, customer, direction, assistant, assistantId, assistantVersion } =
        context.value;
      const refuse = (path: string[], message: string) =>
        context.issues.push({ code: 'custom', path, message, input: context.value });
      if (assistant !== undefined && assistantVersion !== undefined)
        refuse(['assistantVersion'], 'must not be given with an inline assistant');
      if (phoneNumberId === undefined) {
        if (assistant === undefined && assistantId === undefined)
          refuse(['assistantId'], 'is needed for a web call without an inline assistant');
        return;
      }
      if (customer?.number === undefined)
        refuse(['customer', 'number'], 'is needed when phoneNumberId is given');
      if (direction === 'inbound')
        refuse(['direction'], 'must be outbound when phoneNumberId is given');
    })
    .meta({ title: 'ConnectInput' });
}

/** A validated request to start a call. */
export type ConnectInput = z.output<ReturnType<typeof connectSchema>>;
