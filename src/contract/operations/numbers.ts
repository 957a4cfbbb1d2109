import { z } from 'zod';
import {
  AvailableNumberSchema,
  CarrierNameSchema,
  CREDENTIALS,
  NumberChangeSchema,
  NumberPurchaseSchema,
  NumberSchema,
  NumberWebhooksSchema,
  numberImportSchema,
} from '../number.ts';
import { NumberSetupSchema } from '../number-setup.ts';
import { operation } from '../operation.ts';
import { IdParamsSchema, PageQuerySchema, searchQuery } from './parameters.ts';

const tag = 'Numbers';
const path = '/assistants/v1/numbers';
const response = { status: 200, description: 'The number.', schema: NumberSchema } as const;
const created = { ...response, status: 201 } as const;

const ON_TRUST =
  'The owner of the number cannot be verified. 409 if it is already imported in this service, by this team or another.';

// One path for each carrier, since their credentials differ. A path with {provider} would collide with the one with
// {id}.
const importFrom = <const Name extends string, C extends z.ZodType>(
  provider: Name,
  title: string,
  credentials: C,
  ownership = `The account is asked for the number first: 400 if it does not have it, 409 if it does but the number is already imported in this service, by this team or another.`,
) =>
  operation({
    id: `import${title}Number`,
    role: 'admin',
    method: 'POST',
    path: `${path}/${provider}`,
    tag,
    summary: `Import a number of ${title}`,
    description: `Sets the vendor's webhooks if the service has a public URL. ${ownership}`,
    body: numberImportSchema(`${title}NumberImport`, credentials),
    response: created,
    idempotent: true,
    errors: ['invalid', 'conflict', 'vendor'],
  });

export const numberOperations = {
  list: operation({
    id: 'listNumbers',
    role: 'viewer',
    method: 'GET',
    path,
    tag,
    summary: 'List the numbers',
    query: PageQuerySchema.extend({
      label: z.string().max(200).optional(),
      assistantId: z.string().max(500).optional().describe('Only those attached to it.'),
      search: searchQuery('number, label, carrier, name of the assistant'),
    }),
    response: {
      status: 200,
      description: 'The numbers, newest first; with `label`, only those with that label.',
      schema: z.array(NumberSchema),
    },
    paged: true,
    errors: ['invalid'],
    failure: 'Failed to retrieve numbers',
  }),
  available: operation({
    id: 'listAvailableNumbers',
    role: 'admin',
    method: 'GET',
    path: `${path}/available`,
    tag,
    summary: 'Search for numbers to buy',
    query: z.strictObject({
      provider: CarrierNameSchema,
      country: z
        .string()
        .regex(/^[A-Z]{2}$/, 'must be a country code of two capital letters, such as US')
        .default('US'),
      areaCode: z
        .string()
        .regex(/^\d{1,6}$/, 'must be 1 to 6 digits')
        .optional(),
      contains: z
        .string()
        .regex(/^[0-9*]{2,16}$/, 'must be 2 to 16 digits; * stands for any')
        .optional(),
    }),
    response: {
      status: 200,
      description: 'The numbers on offer.',
      schema: z.array(AvailableNumberSchema),
    },
    errors: ['invalid', 'conflict', 'vendor'],
  }),
  purchase: operation({
    id: 'purchaseNumber',
    role: 'admin',
    method: 'POST',
    path: `${path}/purchase`,
    tag,
    summary: 'Buy a number',
    description: "Sets the vendor's webhooks if the service has a public URL.",
    body: NumberPurchaseSchema,
    response: created,
    idempotent: true,
    errors: ['invalid', 'conflict', 'vendor'],
  }),
  importTwilio: importFrom('twilio', 'Twilio', CREDENTIALS.twilio),
  importTelnyx: importFrom('telnyx', 'Telnyx', CREDENTIALS.telnyx),
  importAsterisk: importFrom('asterisk', 'Asterisk', CREDENTIALS.asterisk, ON_TRUST),
  importEmulator: importFrom('emulator', 'Emulator', CREDENTIALS.emulator, ON_TRUST),
  get: operation({
    id: 'getNumber',
    role: 'viewer',
    method: 'GET',
    path: `${path}/{id}`,
    tag,
    summary: 'Get a number',
    params: IdParamsSchema,
    response,
    conditional: true,
    errors: ['missing'],
  }),
  update: operation({
    id: 'updateNumber',
    role: 'builder',
    method: 'PUT',
    path: `${path}/{id}`,
    tag,
    summary: 'Attach, detach or switch a number',
    description: 'Absent fields stay unchanged.',
    params: IdParamsSchema,
    body: NumberChangeSchema,
    response,
    conditional: true,
    errors: ['invalid', 'missing', 'conflict', 'untested'],
    failure: 'Failed to update number',
    invalidMessage: 'Not received valid inputs!',
  }),
  configureWebhooks: operation({
    id: 'configureNumberWebhooks',
    role: 'builder',
    method: 'POST',
    path: `${path}/{id}/webhooks`,
    tag,
    summary: "Set a number's webhooks",
    description:
      'Makes the vendor send calls and text messages to the public URL of the service, replacing previous settings; ' +
      'rejected if the service has none or the vendor has no webhooks.',
    params: IdParamsSchema,
    response: {
      status: 200,
      description: 'The current webhooks.',
      schema: NumberWebhooksSchema,
    },
    errors: ['missing', 'conflict', 'vendor'],
  }),
  checkSetup: operation({
    id: 'checkNumberSetup',
    role: 'builder',
    method: 'GET',
    path: `${path}/{id}/setup`,
    tag,
    summary: 'Check whether calls to a number arrive',
    description:
      'Everything that must be true for a call to the number to arrive and be answered, as a list to work through. Asks the carrier, and the public address of the service, for at most 10 seconds; what fails is an entry of the list, not an error.',
    params: IdParamsSchema,
    response: { status: 200, description: 'The checks.', schema: NumberSetupSchema },
    errors: ['missing'],
  }),
  remove: operation({
    id: 'deleteNumber',
    role: 'admin',
    method: 'DELETE',
    path: `${path}/{id}`,
    tag,
    summary: 'Delete a number',
    description:
      'Accepted even while an assistant is attached: the assistant stays, and calls to the number are no longer answered. The number stays at the vendor unless `release` is true. Records of its calls stay.',
    params: IdParamsSchema,
    query: z.strictObject({ release: z.enum(['true', 'false']).optional() }),
    response: {
      status: 200,
      description: 'Deleted.',
      schema: z.strictObject({ message: z.string() }),
    },
    errors: ['invalid', 'missing', 'conflict', 'vendor'],
    failure: 'Failed to delete number',
  }),
} as const;
