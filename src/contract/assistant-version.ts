import { z } from 'zod';
import { type AssistantConfig, assistantConfigSchema, assistantSchema } from './assistant.ts';
import { DateTimeSchema, IdSchema, text } from './atoms.ts';
import { mergePatchSchema } from './merge-patch.ts';
import type { VendorCatalogue } from './vendors.ts';

/** The versions of an assistant that are kept; the oldest that nobody uses go first. */
export const MAX_VERSIONS = 200;

const LABEL = /^[a-z][a-z0-9-]{0,39}$/;

export const VersionLabelSchema = text(40).regex(
  LABEL,
  'must be lower-case letters, digits and hyphens, and begin with a letter',
);

/** A version as requests name it: by its number or by a label. */
export const VersionNameSchema = text(40)
  .regex(/^[1-9]\d{0,8}$|^[a-z][a-z0-9-]{0,39}$/, 'must be the number of a version or a label')
  .describe('The number of a version, or a label such as `production`.');

const NoteSchema = text(500).describe('What has changed and why.');

export const AssistantVersionSchema = z
  .strictObject({
    assistantId: IdSchema,
    version: z.int().describe('From 1 on; each save has the next one.'),
    createdAt: DateTimeSchema,
    author: z
      .strictObject({ type: z.string(), id: z.string().optional(), name: z.string().optional() })
      .optional()
      .describe('Who saved it; absent: the service.'),
    note: NoteSchema,
    published: z.boolean().describe('Calls use it unless they name another one.'),
    labels: z.array(z.string()),
  })
  .meta({ title: 'AssistantVersion' });

export function assistantVersionDetailSchema(vendors: VendorCatalogue) {
  return z
    .strictObject({
      ...AssistantVersionSchema.shape,
      assistant: assistantSchema(vendors)
        .omit({ _id: true, teamId: true, createdAt: true, updatedAt: true })
        .meta({ title: 'AssistantConfig' }),
    })
    .meta({ title: 'AssistantVersionDetail' });
}

export function draftSchema(vendors: VendorCatalogue) {
  return z
    .strictObject({
      from: VersionNameSchema.optional().describe(
        'What is changed; absent: the published version.',
      ),
      changes: mergePatchSchema(assistantConfigSchema(vendors)).meta({ title: 'AssistantPatch' }),
      note: NoteSchema.default(''),
    })
    .meta({ title: 'AssistantDraftInput' });
}

/** Says that a version is not published because of its tests. */
export const TESTS_NOT_PASSED = 'tests-not-passed';

export const PublishGateSchema = z
  .strictObject({
    requireTests: z
      .boolean()
      .describe(
        'A version is published only when the tests of every suite that names the assistant have passed with it.',
      ),
  })
  .meta({ title: 'PublishGate' });

export const LabelledVersionSchema = z
  .strictObject({ version: z.int().min(1).max(999_999_999) })
  .meta({ title: 'VersionLabelInput' });

export const VersionChangeSchema = z
  .strictObject({
    path: z.string().describe('Dotted path of the field.'),
    before: z.unknown().optional().describe('Absent: there was none.'),
    after: z.unknown().optional().describe('Absent: there is none any more.'),
  })
  .meta({ title: 'VersionChange' });

export type VersionChange = z.output<typeof VersionChangeSchema>;
export type AssistantVersion = z.output<typeof AssistantVersionSchema>;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What differs between two configurations, field by field. Lists are compared item by item, by their places. */
export function diffVersions(before: AssistantConfig, after: AssistantConfig): VersionChange[] {
  return diff('', before, after);
}

function diff(path: string, before: unknown, after: unknown): VersionChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const at = (name: string | number) => (path === '' ? `${name}` : `${path}.${name}`);
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, i) => diff(at(i), before[i], after[i])).flat();
  }
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => diff(at(name), before[name], after[name]));
  }
  return [
    {
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    },
  ];
}
